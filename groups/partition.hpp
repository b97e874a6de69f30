// SPDX-License-Identifier: Apache-2.0
// Splits a group by a value (CCL, section 2.1), once every member knows every member's value.
#pragma once

#include <span>

#include "cohort/types.hpp"
#include "groups/members.hpp"

namespace cohort {

// The contribution of each member of the parent. The counter travels along (CCL, section 2.3), so that the new groups'
// PGIDs need no further message.
struct PartitionVote {
  std::int64_t value = 0;
  std::int64_t key = 0;
  std::uint32_t counter = 0;  // of the groups that this process has named so far
};

struct PartitionResult {
  GroupId id;
  Members members;
  Rank me = 0;  // this process's rank in the new group
};

// `votes`: by rank in the parent. The new group of the member at `me`: all members with its value, by key, ties by
// rank.
PartitionResult partition(const Members& parent, std::span<const PartitionVote> votes, Rank me);

}  // namespace cohort
