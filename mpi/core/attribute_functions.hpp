// SPDX-License-Identifier: Apache-2.0
// MPI's functions for keys and attributes, and their names of MPI 1.
#pragma once

#include "mpi/core/attributes.hpp"
#include "mpi/core/communicator.hpp"
#include "mpi/core/datatype.hpp"

namespace cohort::mpi {

void comm_create_keyval(CopyAttribute copy, DeleteAttribute remove, int& keyval, void* extra_state);
void comm_free_keyval(int& keyval);
void comm_set_attr(Communicator& communicator, int keyval, AttributeValue value);
// The predefined attributes are those of every communicator. They are integers, as if Fortran had set them.
void comm_get_attr(Communicator& communicator, int keyval, AttributeValue& value, int& flag);
void comm_delete_attr(Communicator& communicator, int keyval);

void type_create_keyval(CopyAttribute copy, DeleteAttribute remove, int& keyval, void* extra_state);
void type_free_keyval(int& keyval);
void type_set_attr(Datatype& type, int keyval, AttributeValue value);
void type_get_attr(Datatype& type, int keyval, AttributeValue& value, int& flag);
void type_delete_attr(Datatype& type, int keyval);

inline void keyval_create(CopyAttribute copy, DeleteAttribute remove, int& keyval, void* extra_state) {
  comm_create_keyval(copy, remove, keyval, extra_state);
}
inline void keyval_free(int& keyval) { comm_free_keyval(keyval); }
inline void attr_put(Communicator& communicator, int keyval, AttributeValue value) {
  comm_set_attr(communicator, keyval, value);
}
inline void attr_get(Communicator& communicator, int keyval, AttributeValue& value, int& flag) {
  comm_get_attr(communicator, keyval, value, flag);
}
inline void attr_delete(Communicator& communicator, int keyval) { comm_delete_attr(communicator, keyval); }

// The `call` of the copy functions that MPI defines: MPI_COMM_DUP_FN, MPI_TYPE_DUP_FN, MPI_DUP_FN.
int copy_always(void* function, Object& object, int keyval, void* extra_state, std::intptr_t value,
                std::intptr_t& new_value, bool& copied);

}  // namespace cohort::mpi
