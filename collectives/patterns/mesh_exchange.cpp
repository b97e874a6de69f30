// SPDX-License-Identifier: Apache-2.0
#include "collectives/patterns/mesh_exchange.hpp"

#include <algorithm>

namespace cohort {
namespace {

// All blocks in one buffer, before or after the exchange over a dimension. In the dimensions still to come, the n-th
// block's destination has the coordinates of rank n; in the others, its source has them. At the end this is the order
// of the sources.
struct Stage {
  Segment vector;
  Count block;

  // The blocks that have this coordinate in the dimension.
  Segments with(const Mesh& mesh, int dimension, Rank coordinate) const {
    const Count run = mesh.stride(dimension) * block;
    const Count period = run * mesh.side(dimension);
    Segments segments;
    for (Count first = coordinate * run; first < vector.count; first += period) {
      segments.add({vector.buffer, vector.offset + first, run});
    }
    return segments;
  }
};

}  // namespace

Schedule exchange_on(const Mesh& mesh, const Problem& problem, Rank me) {
  const Count total = problem.blocks.total();
  const Count block = problem.blocks.largest();
  Schedule schedule;
  const int dimensions = mesh.dimensions();
  if (dimensions == 0) schedule.add_round().copy({Buffer::output, 0, total}, {Buffer::input, 0, total});
  const Segment scratch = schedule.add_scratch(dimensions > 1 ? total : 0);
  Stage from{{Buffer::input, 0, total}, block};
  for (int dimension = 0; dimension < dimensions; ++dimension) {
    // Two buffers take turns, so that the last exchange ends in the output.
    const bool to_output = (dimensions - dimension) % 2 == 1;
    const Stage to{to_output ? Segment{Buffer::output, 0, total} : scratch, block};
    // The last round keeps the blocks whose coordinate is right already.
    schedule.add_rounds(static_cast<std::size_t>(mesh.side(dimension)), [=](std::size_t index, Round& round) {
      const Rank distance = (static_cast<Rank>(index) + 1) % mesh.side(dimension);
      const Rank receiver = mesh.onward(me, dimension, distance);
      const Rank sender = mesh.onward(me, dimension, -distance);
      const Segments sent = from.with(mesh, dimension, mesh.coordinate(receiver, dimension));
      const Segments received = to.with(mesh, dimension, mesh.coordinate(sender, dimension));
      if (distance == 0) {
        for (std::size_t i = 0; i < sent.size(); ++i) round.copy(received.begin()[i], sent.begin()[i]);
      } else {
        round.send(receiver, sent);
        round.receive(sender, received);
      }
    });
    from = to;
  }
  return schedule;
}

namespace costs {

Cost exchange_on(const Mesh& mesh, Count block) {
  const Count p = mesh.size();
  Cost cost;
  for (int dimension = 0; dimension < mesh.dimensions(); ++dimension) {
    const Count others = mesh.side(dimension) - 1;
    const Count volume = others * (p / mesh.side(dimension)) * block;
    cost = cost + mesh.along(dimension, {others, volume, p * volume, 0, p * others, 0, others - 1});
  }
  return cost;
}

}  // namespace costs
}  // namespace cohort
