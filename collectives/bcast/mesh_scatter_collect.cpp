// SPDX-License-Identifier: Apache-2.0
// Broadcast of long vectors over a mesh (Watts' MST-SC hybrid), in three steps. The vector is scattered over the root's
// part of the mesh, which spans the last dimensions. Each piece is broadcast to the ranks at the same place in the
// other parts. Every part collects the pieces around its rings. Scattering over all dimensions is Watts' SC, over none
// the spanning tree. On a mesh of hosts by processes, scattered over the last dimension, every process sends its own
// piece to the other hosts.
// Cost: with G ranks in a part whose sides are s: (ceil(log2 G) + sum (s - 1)) alpha + 2 (G - 1) / G beta m + ceil(log2
// (p / G)) (alpha + beta m / G).
// Parameter: scattered, the number of dimensions; the fastest in the linear model unless it is given. Takes the mesh;
// without one the ranks are a line.
// Source: Watts 1994, section 9: he scatters over one dimension after the other, with sum ceil(log2 s) start-ups.
#include <algorithm>

#include "collectives/bcast/bcast.hpp"
#include "collectives/patterns/closed_forms.hpp"
#include "collectives/patterns/embedding.hpp"
#include "collectives/patterns/mesh_rings.hpp"
#include "collectives/patterns/recursive_split.hpp"
#include "collectives/peers.hpp"
#include "collectives/scatter/scatter.hpp"

namespace cohort::bcast {
namespace {

// The hybrid that scatters over so many of the last dimensions.
class Hybrid {
 public:
  Hybrid(const Problem& problem, int dimensions)
      : problem_(problem),
        whole_(mesh_of(problem)),
        part_(whole_.after(whole_.dimensions() - dimensions)),
        pieces_(Blocks::split(part_.size(), problem.count)) {}

  Schedule schedule(Rank me) const {
    const Rank ranks = part_.size();
    const Rank place = me % ranks;
    const Segment piece = pieces_.block(Buffer::output, place);
    Schedule schedule;
    if (ranks > 1) add_scatter(schedule, me);
    if (ranks < problem_.ranks) {
      const auto rank_of = [place, ranks](Rank part) { return part * ranks + place; };
      append_part(schedule, binomial(pieces_broadcast(piece.count), me / ranks), {.output = piece, .rank_of = rank_of});
    }
    MeshRings(part_, pieces_, me, MeshRings::Order::ranks).add_collect(schedule, problem_.all());
    return schedule;
  }

  Cost cost() const {
    const Count parts = problem_.ranks / part_.size();
    Cost tree = costs::tree(pieces_broadcast(pieces_.largest()));
    tree.total *= part_.size();
    tree.messages *= part_.size();
    Cost collect = costs::collect(part_, pieces_.largest());
    collect.total *= parts;
    collect.messages *= parts;
    return costs::recursive_split(pieces_scatter()) + tree + collect;
  }

 private:
  // Adds the scatter within the root's part. The other parts wait for the same number of rounds.
  void add_scatter(Schedule& schedule, Rank me) const {
    const Problem problem = pieces_scatter();
    const Rank first = problem_.root - problem.root;
    const Rank place = me - first;
    if (0 <= place && place < problem.ranks) {
      append_part(schedule, scatter::recursive_split(problem, place),
                  {.input = problem_.all(),
                   .output = pieces_.block(Buffer::output, place),
                   .rank_of = [first](Rank rank) { return first + rank; }});
    }
    add_rounds_until(schedule, static_cast<std::size_t>(ceil_log2(problem.ranks)));
  }

  Problem pieces_scatter() const {
    Problem problem;
    problem.operation = Operation::scatter;
    problem.ranks = part_.size();
    problem.root = problem_.root % part_.size();
    problem.blocks = pieces_;
    return problem;
  }

  Problem pieces_broadcast(Count count) const {
    Problem problem;
    problem.operation = Operation::bcast;
    problem.ranks = problem_.ranks / part_.size();
    problem.root = problem_.root / part_.size();
    problem.count = count;
    return problem;
  }

  const Problem& problem_;
  Mesh whole_;
  Mesh part_;
  Blocks pieces_;
};

Hybrid hybrid(const Problem& problem) {
  const int most = mesh_of(problem).dimensions();
  const Count wished = problem.parameters.get("scattered", -1);
  if (wished >= 0) return {problem, static_cast<int>(std::min<Count>(wished, most))};
  int best = 0;
  double least = 0;
  for (int dimensions = 0; dimensions <= most; ++dimensions) {
    const double time = seconds_by_data(Hybrid(problem, dimensions).cost(), problem);
    if (dimensions > 0 && time >= least) continue;
    least = time;
    best = dimensions;
  }
  return {problem, best};
}

}  // namespace

Schedule mesh_scatter_collect(const Problem& problem, Rank me) { return hybrid(problem).schedule(me); }

Cost mesh_scatter_collect_cost(const Problem& problem) { return hybrid(problem).cost(); }

}  // namespace cohort::bcast
