// SPDX-License-Identifier: Apache-2.0
// Functions of the program that get objects of the C++ interface.
#include "mpi/faces/cxx/callbacks.hpp"

#include <array>
#include <cstring>

#include "mpi/core/op.hpp"
#include "mpi/core/topology_functions.hpp"
#include "mpi/faces/cxx/objects.hpp"

namespace cohort::mpi::faces::cxx {
namespace {

using F = openmpi::Face;

// The class of a communicator depends on its topology.
const void* const* table_of_communicator(Communicator& communicator) {
  if (communicator.is_inter()) return _ZTVN3MPI9IntercommE;
  int topology = abi::undefined;
  topo_test(communicator, topology);
  if (topology == abi::cart) return _ZTVN3MPI8CartcommE;
  return topology == abi::graph ? _ZTVN3MPI9GraphcommE : _ZTVN3MPI9IntracommE;
}

MPI::Object object_of(Object& object) {
  if (object.kind == Kind::datatype) return cxx::object(_ZTVN3MPI8DatatypeE, F::handle(object));
  return cxx::object(table_of_communicator(static_cast<Communicator&>(object)), F::handle(object));
}

// Lives as long as its key may be used: until the end.
struct Key {
  KeyFunctions functions;
  void* extra_state;
};

int copy(void* of, Object& object, int keyval, void* /*extra_state*/, std::intptr_t value, std::intptr_t& new_value,
         bool& copied) {
  const Key& key = *static_cast<const Key*>(of);
  const int keyval_here = F::keyval.to_face(keyval);
  void* result = reinterpret_cast<void*>(value);
  int code = 0;
  if (key.functions.cxx_copy != nullptr) {
    const MPI::Object here = object_of(object);
    code = key.functions.cxx_copy(here, keyval_here, key.extra_state, reinterpret_cast<void*>(value), &result, copied);
  } else if (key.functions.c_copy != nullptr) {
    int flag = 0;
    code = key.functions.c_copy(F::handle(object), keyval_here, key.extra_state, reinterpret_cast<void*>(value),
                                &result, &flag);
    copied = flag != 0;
  }
  new_value = reinterpret_cast<std::intptr_t>(result);
  return F::code.to_core(code);
}

int remove(void* of, Object& object, int keyval, std::intptr_t value, void* /*extra_state*/) {
  const Key& key = *static_cast<const Key*>(of);
  const int keyval_here = F::keyval.to_face(keyval);
  int code = 0;
  if (key.functions.cxx_delete != nullptr) {
    MPI::Object here = object_of(object);
    code = key.functions.cxx_delete(here, keyval_here, reinterpret_cast<void*>(value), key.extra_state);
  } else if (key.functions.c_delete != nullptr) {
    code = key.functions.c_delete(F::handle(object), keyval_here, reinterpret_cast<void*>(value), key.extra_state);
  }
  return F::code.to_core(code);
}

// An operator that was made for the function that passes on: what it calls in the end.
struct Operator {
  PassOn* pass_on;
  void* function;
};

}  // namespace

CopyAttribute copy_attribute(const KeyFunctions& functions, void* extra_state) {
  return {new Key{functions, extra_state}, copy};
}
DeleteAttribute delete_attribute(const CopyAttribute& of_same_key) { return {of_same_key.function, remove}; }

UserErrorHandler error_handler(ErrorFunction* function) {
  if (function == nullptr) return {};
  return {reinterpret_cast<void*>(function), [](void* to_call, Object& object, int code) {
            MPI::Object here = object_of(object);
            int code_here = F::code.to_face(code);
            reinterpret_cast<ErrorFunction*>(to_call)(here, &code_here);
          }};
}

UserOperator user_operator(const UserOperator& before, void* function) {
  return {new Operator{reinterpret_cast<PassOn*>(before.function), function},
          [](void* of, void* in, void* inout, Count count, Datatype& type) {
            const Operator& to_call = *static_cast<const Operator*>(of);
            for (Count done = 0; done < count; done += INT_MAX) {
              int length = static_cast<int>(std::min<Count>(INT_MAX, count - done));
              void* handle = F::handle(type);
              to_call.pass_on(static_cast<std::byte*>(in) + done * type.extent,
                              static_cast<std::byte*>(inout) + done * type.extent, &length, &handle, to_call.function);
            }
          }};
}

}  // namespace cohort::mpi::faces::cxx
