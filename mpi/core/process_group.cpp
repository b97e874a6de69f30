// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/process_group.hpp"

#include <algorithm>

namespace cohort::mpi {

ProcessGroup& ProcessGroup::empty() {
  static ProcessGroup& group = make_predefined<ProcessGroup>(std::vector<Pid>{});
  return group;
}

int ProcessGroup::rank_of(Pid pid) const {
  const auto found = std::ranges::find(members, pid);
  return found == members.end() ? -1 : static_cast<int>(found - members.begin());
}

}  // namespace cohort::mpi
