// SPDX-License-Identifier: Apache-2.0
// A mesh of ranks, row by row: neighbours in the last dimension are next to one another in rank order. The ranks that
// differ in one coordinate only form a ring of that dimension.
#pragma once

#include <vector>

#include "collectives/cost.hpp"

namespace cohort {

class Mesh {
 public:
  // Leaves out sides of one rank, along which no data move. The ranks are `unit` apart in the last dimension.
  // `ranks_per_host` consecutive ranks share a host: 1, or a row.
  explicit Mesh(const std::vector<Rank>& sides, Rank unit = 1, Rank ranks_per_host = 1);

  int dimensions() const { return static_cast<int>(sides_.size()); }
  Rank side(int dimension) const { return sides_[static_cast<std::size_t>(dimension)]; }
  Rank size() const;

  // The distance between neighbours in a ring of the dimension, in ranks.
  Rank stride(int dimension) const { return strides_[static_cast<std::size_t>(dimension)]; }

  // The place of a rank in its ring.
  Rank coordinate(Rank rank, int dimension) const { return rank / stride(dimension) % side(dimension); }

  // The rank so many steps onward in its ring.
  Rank onward(Rank rank, int dimension, Rank steps) const;

  // The cost on this mesh's hosts of a part of an algorithm in which all ranks do the same and send along this
  // dimension only. `cost` is the cost if each rank had a host of its own.
  Cost along(int dimension, Cost cost) const;

  // The sum over the dimensions of side - 1: the messages that go once around all rings of a rank.
  Count hops() const;

  // The mesh of the first `dimensions` dimensions, and the mesh of the others.
  Mesh first(int dimensions) const;
  Mesh after(int dimensions) const;

 private:
  std::vector<Rank> sides_;
  std::vector<Rank> strides_;
  Rank ranks_per_host_;
};

// The problem's mesh; a line if it has none.
Mesh mesh_of(const Problem& problem);

// The mesh whose sides are the prime factors of the number of ranks, the largest first.
Mesh prime_mesh(Rank ranks);

}  // namespace cohort
