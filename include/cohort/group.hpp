// Groups: ordered sets of processes that communicate with one another only.
#pragma once

#include <span>

#include "cohort/prepared_collectives.hpp"

namespace cohort {

// A handle: copies name the same group. A process may be in any number of groups, overlapping as they like.
class Group : public PreparedCollectives {
 public:
  explicit Group(std::shared_ptr<detail::GroupState> state) : PreparedCollectives(std::move(state)) {}

  // Splits this group: the members that pass the same value form a new group, ranked by key, ties by rank here. All
  // members call it, and none returns before all have called. Each gets its new group; its label is the value.
  Group partition(std::int64_t value, std::int64_t key = 0, Where where = Where::current()) const;

  // The group of the ranks first, first + stride, ... (count of them), in this order, without communication. Called by
  // these ranks only. Throws Error(argument) if it is empty, leaves this group, or does not include the caller.
  Group subrange(Rank first, Rank stride, Rank count, Where where = Where::current()) const;
};

}  // namespace cohort
