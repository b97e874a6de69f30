// SPDX-License-Identifier: Apache-2.0
// Reductions on intercommunicators: each side gets the result of the other side's operands.
#pragma once

#include <span>

#include "mpi/core/operands.hpp"

namespace cohort::mpi {

// `count`: of all operands and of the result.
Plan inter_reduce(const char* name, const Operands& operands, Count count, int root, Communicator& on);
Plan inter_allreduce(const char* name, const Operands& operands, Count count, Communicator& on);

// `count`: of the whole vector, which is the same on both sides. This process gets `own` elements of the result, from
// element `first` on. `equal`: the other side's processes get equal parts.
Plan inter_reduce_scatter(const char* name, const Operands& operands, Count count, Count first, Count own, bool equal,
                          Communicator& on);

}  // namespace cohort::mpi
