// Collect and distributed reduction around the rings of a mesh, one dimension after the other, as rounds that
// operations are made of. A line is a mesh of one ring; the mesh of p's prime factors gives the prime factors rings.
//
// Collect: in each dimension a rank passes on to its next neighbour what it gets from the one before, until the ring's
// ranks hold the same. The rings whose ranks are farthest apart come first, while there is little to send. The
// distributed reduction is the same played backward, with a combination for each arrival. Both move p - 1 blocks over
// each rank, the least possible, in as many rounds as the sides minus one together.
// Source: Watts 1994, sections 5.2, 6.1, 8 and 10.
#pragma once

#include "collectives/cost.hpp"
#include "collectives/patterns/mesh.hpp"

namespace cohort {

class MeshRings {
 public:
  // Whose block is which: `ranks` as the operations have it; `rings` such that what a message carries is one run of
  // blocks, for vectors whose parts belong to nobody before.
  enum class Order : std::uint8_t { ranks, rings };

  // The mesh may be the last dimensions of a larger one: then `me` is the rank there, and `blocks` has one for each
  // rank of the smaller.
  MeshRings(Mesh mesh, Blocks blocks, Rank me, Order order);

  // This rank's block.
  Segment own(const Segment& vector) const;

  // Every rank's block stands at its own place in `vector`; afterwards all blocks do.
  void add_collect(Schedule& schedule, const Segment& vector) const;

  // Reduces, so that this rank's block of the result ends in `result`. `work` is as long as the operand and may be the
  // operand itself; it holds partial results afterwards. `result` may be this rank's block of `work`. With one rank
  // nothing is done. The operator commutes.
  void add_distributed_reduction(Schedule& schedule, const Segment& operand, const Segment& work,
                                 const Segment& result) const;

 private:
  // What one message around a ring of the dimension carries: the blocks of all ranks with this coordinate whose other
  // coordinates are mine in the dimensions behind, and any in those before.
  Segments blocks_of(const Segment& vector, int dimension, std::int64_t coordinate) const;
  Count largest_of(int dimension) const;

  Mesh mesh_;
  Blocks blocks_;
  Rank me_;
  Order order_;
  // Where the first dimension is the fastest, for each dimension: how far neighbours' blocks are apart, and the first
  // block of those ranks that have my coordinates in all dimensions behind it.
  std::vector<Rank> units_;
  std::vector<Rank> firsts_;
};

// All-to-all reduction around the rings: every ring circulates whole vectors. The operand stands in `vector`, in the
// end the result does. Where the operands' order must be kept, every rank combines what it hears in two parts, the
// ranks before it in the ring and those behind it; and the rings whose ranks are next to one another come first.
// Source: Watts 1994, section 12; the order is ours.
void add_whole_rings(Schedule& schedule, const Mesh& mesh, Rank me, const Segment& vector, bool ordered);

// The operations that are made of these alone, on any mesh: the concat, the reduce-scatter, and the combine: there the
// first `whole` dimensions circulate vectors or pieces whole, and the others divide what they circulate.
Schedule collect_on(const Mesh& mesh, const Problem& problem, Rank me);
Schedule reduce_on(const Mesh& mesh, const Problem& problem, Rank me);
Schedule combine_on(const Mesh& mesh, int whole, const Problem& problem, Rank me);

namespace costs {

// For each rank a block of so many elements.
Cost collect(const Mesh& mesh, Count block);
Cost distributed_reduction(const Mesh& mesh, Count block);

// For vectors of so many elements.
Cost whole_rings(const Mesh& mesh, Count count, bool ordered);
Cost combine_on(const Mesh& mesh, int whole, const Problem& problem);

}  // namespace costs
}  // namespace cohort
