// SPDX-License-Identifier: Apache-2.0
#include "mpi/faces/common/predefined.hpp"

#include "mpi/core/errhandler.hpp"
#include "mpi/core/info.hpp"
#include "mpi/core/message.hpp"
#include "mpi/core/mistake.hpp"
#include "mpi/core/op.hpp"
#include "mpi/core/process_group.hpp"
#include "mpi/core/type_functions.hpp"

namespace cohort::mpi::faces {
namespace {

Datatype& several(Count count, int abi_handle) {
  Datatype* type = nullptr;
  type_contiguous(count, Datatype::predefined_type(abi_handle), type);
  type_commit(type);
  type->predefined = true;
  return *type;
}

Object* predefined_datatype(int handle) {
  if (handle == lower_bound_handle) return &lower_bound_marker();
  if (handle == upper_bound_handle) return &upper_bound_marker();
  if (handle == two_complex_handle) return &several(2, abi::type_complex);
  if (handle == two_double_complex_handle) return &several(2, abi::type_double_complex);
  try {
    return &Datatype::predefined_type(handle);
  } catch (const Mistake&) {
    return nullptr;  // this machine does not have the type
  }
}

Object* predefined_errhandler(int abi_handle) {
  switch (abi_handle) {
    case abi::errors_are_fatal:
      return &Errhandler::errors_are_fatal();
    case abi::errors_abort:
      return &Errhandler::errors_abort();
    case abi::errors_return:
      return &Errhandler::errors_return();
    default:
      return nullptr;
  }
}

}  // namespace

Datatype& lower_bound_marker() {
  static Datatype& marker = several(0, abi::type_byte);
  return marker;
}

Datatype& upper_bound_marker() {
  static Datatype& marker = several(0, abi::type_byte);
  return marker;
}

Object* predefined_object(Kind kind, int abi_handle) {
  switch (kind) {
    case Kind::datatype:
      return predefined_datatype(abi_handle);
    case Kind::op:
      return &Op::predefined_op(abi_handle);
    case Kind::errhandler:
      return predefined_errhandler(abi_handle);
    case Kind::group:
      return &ProcessGroup::empty();
    case Kind::info:
      return &Info::environment();
    case Kind::message:
      return &Message::of_null_process();
    default:
      return nullptr;
  }
}

}  // namespace cohort::mpi::faces
