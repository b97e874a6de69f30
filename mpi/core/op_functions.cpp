// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/op_functions.hpp"

#include "mpi/core/data.hpp"
#include "mpi/core/mistake.hpp"

namespace cohort::mpi {

void op_create(UserOperator function, int commute, Op*& op) {
  check(function.function != nullptr, abi::err_arg, "the operator's function is a null pointer");
  op = new Op(function, commute != 0);
}

void op_free(Op*& op) {
  check(op != nullptr, abi::err_op, "the operator is MPI_OP_NULL");
  check(!op->predefined, abi::err_op, "a predefined operator can't be freed");
  std::exchange(op, nullptr)->release();
}

void op_commutative(Op& op, int& commute) { commute = op.commutative ? 1 : 0; }

void reduce_local(const void* inbuf, void* inoutbuf, Count count, Datatype& datatype, Op& op) {
  const Data in = data_at(inbuf, count, &datatype, "inbuf");
  const Data inout = data_at(inoutbuf, count, &datatype, "inoutbuf");
  check(count == 0 || inbuf == nullptr || in.base != inout.base, abi::err_buffer,
        "inbuf and inoutbuf are the same memory: they must be apart");
  op.apply(inbuf, inoutbuf, count, datatype);
}

}  // namespace cohort::mpi
