// SPDX-License-Identifier: Apache-2.0
#include "collectives/patterns/mesh.hpp"

#include <algorithm>

#include "collectives/peers.hpp"

namespace cohort {

Mesh::Mesh(const std::vector<Rank>& sides, Rank unit, Rank ranks_per_host) : ranks_per_host_(ranks_per_host) {
  for (const Rank side : sides) {
    if (side > 1) sides_.push_back(side);
  }
  strides_.resize(sides_.size());
  for (std::size_t i = sides_.size(); i > 0; --i) {
    strides_[i - 1] = unit;
    unit *= sides_[i - 1];
  }
}

Rank Mesh::size() const {
  Rank product = 1;
  for (const Rank side : sides_) product *= side;
  return product;
}

Rank Mesh::onward(Rank rank, int dimension, Rank steps) const {
  const Rank here = coordinate(rank, dimension);
  return rank + (modulo(std::int64_t{here} + steps, side(dimension)) - here) * stride(dimension);
}

Cost Mesh::along(int dimension, Cost cost) const {
  if (ranks_per_host_ > 1 && stride(dimension) == 1) return within_hosts(cost);
  cost.volume *= ranks_per_host_;
  return cost;
}

Count Mesh::hops() const {
  Count sum = 0;
  for (const Rank side : sides_) sum += side - 1;
  return sum;
}

Mesh Mesh::first(int dimensions) const {
  const Rank unit = dimensions > 0 ? stride(dimensions - 1) : 1;
  return Mesh(std::vector<Rank>(sides_.begin(), sides_.begin() + dimensions), unit, ranks_per_host_);
}

Mesh Mesh::after(int dimensions) const {
  const Rank unit = sides_.empty() ? 1 : strides_.back();
  return Mesh(std::vector<Rank>(sides_.begin() + dimensions, sides_.end()), unit, ranks_per_host_);
}

Mesh mesh_of(const Problem& problem) {
  return Mesh(problem.mesh.empty() ? std::vector<Rank>{problem.ranks} : problem.mesh, 1, ranks_per_host(problem));
}

Mesh prime_mesh(Rank ranks) {
  std::vector<Rank> factors;
  for (std::int64_t factor = 2; factor * factor <= ranks; ++factor) {
    for (; ranks % factor == 0; ranks /= static_cast<Rank>(factor)) factors.push_back(static_cast<Rank>(factor));
  }
  if (ranks > 1) factors.push_back(ranks);
  std::reverse(factors.begin(), factors.end());
  return Mesh(factors);
}

}  // namespace cohort
