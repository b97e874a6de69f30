// SPDX-License-Identifier: Apache-2.0
// MPI's groups: ordered lists of processes, without communication.
#pragma once

#include <vector>

#include "cohort/types.hpp"
#include "mpi/core/object.hpp"

namespace cohort::mpi {

class ProcessGroup : public Object {
 public:
  explicit ProcessGroup(std::vector<Pid> pids) : Object(Kind::group), members(std::move(pids)) {}
  static ProcessGroup& empty();  // MPI_GROUP_EMPTY

  int size() const { return static_cast<int>(members.size()); }
  int rank_of(Pid pid) const;  // -1: it is no member

  const std::vector<Pid> members;  // by rank
};

}  // namespace cohort::mpi
