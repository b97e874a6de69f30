// Groups: ordered sets of processes that communicate with one another only.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cohort/prepared_collectives.hpp"

namespace cohort {

class Grid;

// A handle: copies name the same group. A process may be in any number of groups, overlapping as they like.
class Group : public PreparedCollectives {
 public:
  explicit Group(std::shared_ptr<detail::GroupState> state,
                 std::shared_ptr<const detail::NamedAlgorithm> algorithm = nullptr)
      : PreparedCollectives(detail::Handle{std::move(state), std::move(algorithm)}) {}

  // The same group, whose collectives are done by this algorithm instead of the one that the runtime would choose, with
  // the parameters that are given: all.by("two_tree:blocks=64").bcast(x, 0). All members name the same. `cohort
  // algorithms` lists what there is. The collective, not this, throws Error(argument) where there is no such algorithm
  // for it, or where the algorithm can't do what is asked. Groups made from this one choose for themselves again.
  Group by(std::string_view algorithm) const { return Group(state(), detail::name_algorithm(algorithm)); }

  // Splits this group: the members that pass the same value form a new group, ranked by key, ties by rank here. All
  // members call it, and none returns before all have called. Each gets its new group; its label is the value.
  Group partition(std::int64_t value, std::int64_t key = 0, Where where = Where::current()) const;

  // The group of the ranks first, first + stride, ... (count of them), in this order, without communication. Called by
  // these ranks only. Throws Error(argument) if it is empty, leaves this group, or does not include the caller.
  Group subrange(Rank first, Rank stride, Rank count, Where where = Where::current()) const;

  // The members that live, as a new group, in the same order: how a job that goes on without the processes that it
  // loses (--on-failure continue) finds together again. All members that live call it, also where they have not seen an
  // error yet; each gets the same. A member that is lost, or leaves the job, is not waited for. Who dies later fails
  // the new group, and the survivors call it again. Another group in which a member waits for this process meanwhile
  // fails with the record of the loss. Throws Error(argument) where the job ends with its first failure.
  Group survivors(Where where = Where::current()) const;

  // This group seen as a grid with these sides, row by row: in all.grid({4, 6}) rank 7 has the coordinates 1, 1. Or as
  // a hypercube: a grid of so many sides of two, in which neighbours along dimension k differ in bit k of their ranks.
  // Both communicate nothing, and need cohort/grid.hpp. They throw Error(argument) if the group has not as many ranks
  // as the grid has places.
  Grid grid(const std::vector<Rank>& sides, Where where = Where::current()) const;
  Grid hypercube(int dimensions, Where where = Where::current()) const;

  // This group seen as the grid of hosts by processes that it is, each row on a host of its own; where its members do
  // not stand host by host in rank order, or are not as many on each, as a line. The same at every member, without
  // communication; what collectives use.
  Grid detect_mesh() const;

  // The same for a physical mesh on which pid i has place i, row by row: the mesh that this group is there, in the
  // order of its ranks, without sides of one; a line where it is none. Throws Error(argument) if a member has no place
  // on the physical mesh.
  Grid detect_mesh(const std::vector<Rank>& physical_sides, Where where = Where::current()) const;
};

}  // namespace cohort
