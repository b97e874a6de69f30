// SPDX-License-Identifier: Apache-2.0
// MPI's functions for reduction operators.
#pragma once

#include "mpi/core/callbacks.hpp"
#include "mpi/core/datatype.hpp"
#include "mpi/core/op.hpp"

namespace cohort::mpi {

void op_create(UserOperator function, int commute, Op*& op);
void op_free(Op*& op);
void op_commutative(Op& op, int& commute);
void reduce_local(const void* inbuf, void* inoutbuf, Count count, Datatype& datatype, Op& op);

}  // namespace cohort::mpi
