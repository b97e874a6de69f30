// SPDX-License-Identifier: Apache-2.0
// Collect and distributed reduction around the rings of a mesh, one dimension after the other, as rounds that
// operations are made of. A line is a mesh of one ring; the mesh of p's prime factors gives the prime factors rings.
//
// Collect: in each dimension a rank passes on to its next neighbour the blocks that it received from the previous one,
// until all ranks of the ring hold the same blocks. The rings whose ranks are farthest apart come first, while there is
// little to send. The distributed reduction is the collect played backward, with a combination for each arrival. In
// both, each rank receives p - 1 blocks, the least possible, in as many rounds as the sum of (side - 1) over the sides.
// Source: Watts 1994, sections 5.2, 6.1, 8 and 10.
#pragma once

#include "collectives/cost.hpp"
#include "collectives/patterns/mesh.hpp"

namespace cohort {

class MeshRings {
 public:
  // Which rank owns which block. `ranks`: in rank order, as in the operations. `rings`: in an order in which a message
  // carries one run of blocks; for vectors whose parts belong to no rank beforehand.
  enum class Order : std::uint8_t { ranks, rings };

  // The mesh may consist of the last dimensions of a larger mesh. Then `me` is the rank in the larger mesh, and
  // `blocks` has a block for each rank of the smaller one.
  MeshRings(Mesh mesh, Blocks blocks, Rank me, Order order);

  // This rank's block.
  Segment own(const Segment& vector) const;

  // Before, this rank's block is at its place in `vector`. Afterwards all blocks are there.
  void add_collect(Schedule& schedule, const Segment& vector) const;

  // Afterwards this rank's block of the result is in `result`, which may be this rank's block of `work`. `work` is as
  // long as the operand and may be the operand itself; afterwards it holds partial results. With one rank adds no
  // rounds. The operator must commute.
  void add_distributed_reduction(Schedule& schedule, const Segment& operand, const Segment& work,
                                 const Segment& result) const;

 private:
  // The blocks of one message around a ring of the dimension: those of all ranks with `coordinate` in this dimension,
  // my coordinates in the later dimensions, and any coordinates in the earlier ones.
  Segments blocks_of(const Segment& vector, int dimension, std::int64_t coordinate) const;
  Count largest_of(int dimension) const;

  Mesh mesh_;
  Blocks blocks_;
  Rank me_;
  Order order_;
  // For each dimension, with the first dimension varying fastest: the distance between neighbours' blocks, and the
  // first block of the ranks that have my coordinates in all later dimensions.
  std::vector<Rank> units_;
  std::vector<Rank> firsts_;
};

// All-to-all reduction around the rings: every ring circulates whole vectors. `vector` holds the operand before and the
// result afterwards. If the operands' order must be kept, every rank combines the arrivals in two parts, from the ranks
// before it in the ring and from those after it. The rings whose ranks are next to one another come first then.
// Source: Watts 1994, section 12; the order is ours.
void add_whole_rings(Schedule& schedule, const Mesh& mesh, Rank me, const Segment& vector, bool ordered);

// The operations that consist of these parts only, on any mesh: the concat, the reduce-scatter, and the combine. In the
// combine, the first `whole` dimensions circulate undivided vectors or pieces; the others divide them.
Schedule collect_on(const Mesh& mesh, const Problem& problem, Rank me);
Schedule reduce_on(const Mesh& mesh, const Problem& problem, Rank me);
Schedule combine_on(const Mesh& mesh, int whole, const Problem& problem, Rank me);

namespace costs {

// Costs for one block of so many elements at each rank.
Cost collect(const Mesh& mesh, Count block);
Cost distributed_reduction(const Mesh& mesh, Count block);

// Costs for vectors of so many elements.
Cost whole_rings(const Mesh& mesh, Count count, bool ordered);
Cost combine_on(const Mesh& mesh, int whole, const Problem& problem);

}  // namespace costs
}  // namespace cohort
