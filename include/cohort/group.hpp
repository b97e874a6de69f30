// Groups: ordered sets of processes that communicate with one another only.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cohort/prepared_collectives.hpp"

namespace cohort {

class Grid;

// A handle: copies name the same group. A process may be in any number of groups, which may overlap.
class Group : public PreparedCollectives {
 public:
  explicit Group(std::shared_ptr<detail::GroupState> state,
                 std::shared_ptr<const detail::NamedAlgorithm> algorithm = nullptr)
      : PreparedCollectives(detail::Handle{std::move(state), std::move(algorithm)}) {}

  // The same group, with an algorithm and its parameters for its collectives, instead of the runtime's choice:
  // all.by("two_tree:blocks=64").bcast(x, 0). All members must name the same one. `cohort algorithms` lists them. The
  // collective call, not this one, throws Error(argument) if the operation has no such algorithm, or if the algorithm
  // can't do the call. Groups made from this one use the runtime's choice again.
  Group by(std::string_view algorithm) const { return Group(state(), detail::name_algorithm(algorithm)); }

  // Splits this group: the members that pass the same value form a new group, ranked by key, ties by rank here. All
  // members call it, and none returns before all have called. Each gets its new group, whose label is the value.
  Group partition(std::int64_t value, std::int64_t key = 0, Where where = Where::current()) const;

  // The group of the ranks first, first + stride, ... (count of them), in this order, without communication. Only these
  // ranks call it. Throws Error(argument) if it is empty, exceeds this group, or does not include the caller.
  Group subrange(Rank first, Rank stride, Rank count, Where where = Where::current()) const;

  // The living members, as a new group, in the same order. A job that goes on without lost processes (--on-failure
  // continue) finds together again by it. All living members call it, also those that have not seen an error yet; each
  // gets the same group. It does not wait for members that are lost or leave the job. A member that dies later fails
  // the new group, and the survivors call it again. If a member waits for this process in another group meanwhile, that
  // group fails with the record of the loss. Throws Error(argument) in a job that ends with its first failure.
  Group survivors(Where where = Where::current()) const;

  // This group as a grid with these sides, row by row: in all.grid({4, 6}) rank 7 has the coordinates 1, 1. Or as a
  // hypercube: a grid of so many sides of two, in which neighbours along dimension k differ in bit k of their ranks.
  // Both communicate nothing, and need cohort/grid.hpp. They throw Error(argument) if the group's size is not the
  // number of the grid's places.
  Grid grid(const std::vector<Rank>& sides, Where where = Where::current()) const;
  Grid hypercube(int dimensions, Where where = Where::current()) const;

  // This group as a grid of hosts by processes, each row on a host of its own; or as a line, if its members do not
  // stand host by host in rank order, as many on each. The same at every member, without communication. Collectives use
  // it.
  Grid detect_mesh() const;

  // The same for a physical mesh on which pid i has place i, row by row: the mesh that this group forms there, in the
  // order of its ranks, without sides of one; or a line. Throws Error(argument) if a member has no place on the
  // physical mesh.
  Grid detect_mesh(const std::vector<Rank>& physical_sides, Where where = Where::current()) const;
};

}  // namespace cohort
