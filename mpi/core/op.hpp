// SPDX-License-Identifier: Apache-2.0
// Reduction operators.
#pragma once

#include <cstddef>

#include "cohort/detail/reduction.hpp"
#include "mpi/core/callbacks.hpp"
#include "mpi/core/datatype.hpp"
#include "mpi/core/object.hpp"

namespace cohort::mpi {

// How the runtime reduces elements of one datatype. Elements of a predefined type travel as they lie in memory, pairs
// with their padding. Elements of a derived type travel packed.
struct ReductionOfType {
  detail::Reduction reduction;
  std::size_t element_bytes = 1;
  detail::Code type = 0;  // for the comparison of the members' calls; 0: not compared
};

class Op : public Object {
 public:
  // A predefined one, by its handle in the standard's ABI (abi::op_sum, ...).
  explicit Op(int abi_handle);
  Op(UserOperator function, bool is_commutative);
  static Op& predefined_op(int abi_handle);

  const bool commutative;

  // Throws Mistake(err_op) if the operator is not defined for the type.
  ReductionOfType on(Datatype& type) const;

  // inout[i] = in[i] (op) inout[i], in the program's memory. Throws as on().
  void apply(const void* in, void* inout, Count count, Datatype& type) const;

  // The program's function, which Open MPI's C++ interface changes after the operator is made.
  UserOperator& user_function() { return user_; }

 private:
  const int builtin_ = 0;  // 0: the program's
  UserOperator user_;
};

// A predefined operator on values of a predefined datatype: the standard's table of reductions.
ReductionOfType builtin_reduction(int abi_handle, Basic basic);

// The program's operator. Its Reduction holds one use of the type.
ReductionOfType user_reduction(const UserOperator& user, bool commutative, Datatype& type);

}  // namespace cohort::mpi
