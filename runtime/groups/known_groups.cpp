// SPDX-License-Identifier: Apache-2.0
#include "runtime/groups/known_groups.hpp"

#include <algorithm>

#include "runtime/groups/group_state.hpp"

namespace cohort::detail {

GroupState* KnownGroups::find(const GroupId& id) const {
  const auto found = std::ranges::find(groups_, id, &GroupState::id);
  return found == groups_.end() ? nullptr : *found;
}

}  // namespace cohort::detail
