// SPDX-License-Identifier: Apache-2.0
// Groups: ordered sets of processes that communicate with one another only.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cohort/any_size.hpp"

namespace cohort {

class Grid;

// A handle: copies name the same group. A process may be in any number of groups, which may overlap.
class Group : public AnySize {
 public:
  explicit Group(detail::Shared<detail::GroupState> state,
                 detail::Shared<const detail::NamedAlgorithm> algorithm = nullptr)
      : AnySize(detail::Handle{std::move(state), std::move(algorithm)}) {}

  // The same calls in two other ways (collectives.hpp): all.start().combine(x, y, sum).
  Collectives<detail::Started> start() const;
  Collectives<detail::Prepared> prepare() const;

  // The algorithm of the latest collective call on this group, as "bcast/binomial"; empty before the first call.
  std::string latest_algorithm() const;

  // The same group, with an algorithm and its parameters for its collectives, instead of the runtime's choice:
  // all.by("two_tree:blocks=64").bcast(x, 0). All members must name the same algorithm. `cohort algorithms` lists them.
  // by() itself does not check the name: the collective call throws Error(argument) if the operation has no such
  // algorithm, or if the algorithm can't do the call. Groups made from this one use the runtime's choice again.
  Group by(std::string_view algorithm) const { return Group(state(), detail::name_algorithm(algorithm)); }

  // Splits this group: the members that pass the same value form a new group, ranked by key, ties by rank here. Every
  // member makes the call and gets its new group, whose label is the value. No member returns before all have called.
  Group partition(std::int64_t value, std::int64_t key = 0, Where where = Where::current()) const;

  // A new group of these ranks, in this order: all.group({0, 3, 1}). Every new member makes this call with the same
  // list, and only they do. The call is no barrier. Throws Error(argument) if the list is empty, names a rank twice or
  // one that is not here, or lacks the caller.
  Group group(std::span<const Rank> ranks, std::int64_t label = 0, Where where = Where::current()) const;
  Group group(std::initializer_list<Rank> ranks, std::int64_t label = 0, Where where = Where::current()) const {
    return group(std::span(ranks.begin(), ranks.size()), label, where);
  }

  // The group of the ranks first, first + stride, ... (count of them), in this order, without communication. Only these
  // ranks call it. Throws Error(argument) if it is empty, exceeds this group, or does not include the caller.
  Group subrange(Rank first, Rank stride, Rank count, Where where = Where::current()) const;

  // The living members, as a new group, in the same order. In a job that goes on without lost processes (--on-failure
  // continue), the survivors form a group again with it. All living members call it, also those that have not seen an
  // error yet; each gets the same group. It does not wait for members that are lost or leave the job. If a member dies
  // later, the new group fails and the survivors call it again. If a member meanwhile waits for this process in another
  // group, that group fails with the record of the loss. Throws Error(argument) in a job that ends with its first
  // failure.
  Group survivors(Where where = Where::current()) const;

  // This group as a grid with these sides, row by row: in all.grid({4, 6}) rank 7 has the coordinates 1, 1. A hypercube
  // is a grid whose sides are all two: neighbours along dimension k differ in bit k of their ranks. Both calls
  // communicate nothing, and need cohort/grid.hpp. They throw Error(argument) if the group's size is not the number of
  // the grid's places.
  Grid grid(const std::vector<Rank>& sides, Where where = Where::current()) const;
  Grid hypercube(int dimensions, Where where = Where::current()) const;

  // This group as a grid of hosts by processes: each row is one host. Requires that the members stand host by host in
  // rank order, the same number on each host; otherwise the grid is a line. The result is the same at every member; the
  // call does not communicate. Collectives use this mesh.
  Grid detect_mesh() const;

  // The same for a physical mesh, on which pid i has place i, row by row. Returns the mesh that this group forms there
  // in the order of its ranks, without sides of one, or a line. Throws Error(argument) if a member has no place on the
  // physical mesh.
  Grid detect_mesh(const std::vector<Rank>& physical_sides, Where where = Where::current()) const;
};

}  // namespace cohort
