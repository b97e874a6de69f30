// SPDX-License-Identifier: Apache-2.0
#include "collectives/patterns/mesh_rings.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "collectives/patterns/slots.hpp"
#include "collectives/peers.hpp"

namespace cohort {
namespace {

// The place of a round in a sequence of rings.
struct RingRound {
  int dimension = 0;
  Rank step = 0;
};

// The index-th round, if the dimensions come from the first to the last or, with `from_last`, from the last to the
// first.
RingRound ring_round(const Mesh& mesh, std::size_t index, bool from_last) {
  auto step = static_cast<Count>(index);
  int dimension = from_last ? mesh.dimensions() - 1 : 0;
  while (step >= mesh.side(dimension) - 1) {
    step -= mesh.side(dimension) - 1;
    dimension += from_last ? -1 : 1;
  }
  return {dimension, static_cast<Rank>(step)};
}

}  // namespace

MeshRings::MeshRings(Mesh mesh, Blocks blocks, Rank me, Order order)
    : mesh_(std::move(mesh)), blocks_(std::move(blocks)), me_(me), order_(order) {
  const auto dimensions = static_cast<std::size_t>(mesh_.dimensions());
  units_.resize(dimensions);
  firsts_.resize(dimensions);
  Rank unit = 1;
  for (std::size_t d = 0; d < dimensions; ++d) {
    units_[d] = unit;
    unit *= mesh_.side(static_cast<int>(d));
  }
  Rank first = 0;
  for (std::size_t d = dimensions; d > 0; --d) {
    firsts_[d - 1] = first;
    first += mesh_.coordinate(me_, static_cast<int>(d - 1)) * units_[d - 1];
  }
}

Segment MeshRings::own(const Segment& vector) const {
  Rank block = me_ % blocks_.size();
  if (order_ == Order::rings) {
    block = mesh_.dimensions() == 0 ? 0 : firsts_[0] + mesh_.coordinate(me_, 0);
  }
  return blocks_.block(vector, block);
}

Segments MeshRings::blocks_of(const Segment& vector, int dimension, std::int64_t coordinate) const {
  const Rank here = modulo(coordinate, mesh_.side(dimension));
  if (order_ == Order::rings) {
    const Rank unit = units_[static_cast<std::size_t>(dimension)];
    const Rank first = firsts_[static_cast<std::size_t>(dimension)] + here * unit;
    return blocks_.range(vector, first, first + unit);
  }
  const Rank stride = mesh_.stride(dimension);
  Segments blocks;
  for (std::int64_t block = std::int64_t{here} * stride + me_ % stride; block < blocks_.size();
       block += std::int64_t{stride} * mesh_.side(dimension)) {
    blocks.add(blocks_.block(vector, static_cast<Rank>(block)));
  }
  return blocks;
}

Count MeshRings::largest_of(int dimension) const {
  if (blocks_.equal()) return units_[static_cast<std::size_t>(dimension)] * blocks_.largest();
  Count largest = 0;
  for (Rank coordinate = 0; coordinate < mesh_.side(dimension); ++coordinate) {
    largest = std::max(largest, blocks_of({}, dimension, coordinate).count());
  }
  return largest;
}

void MeshRings::add_collect(Schedule& schedule, const Segment& vector) const {
  schedule.add_rounds(static_cast<std::size_t>(mesh_.hops()), [*this, vector](std::size_t index, Round& round) {
    const auto [dimension, step] = ring_round(mesh_, index, false);
    const std::int64_t sent = std::int64_t{mesh_.coordinate(me_, dimension)} - step;
    round.send(mesh_.onward(me_, dimension, 1), blocks_of(vector, dimension, sent));
    round.receive(mesh_.onward(me_, dimension, -1), blocks_of(vector, dimension, sent - 1));
  });
}

void MeshRings::add_distributed_reduction(Schedule& schedule, const Segment& operand, const Segment& work,
                                          const Segment& result) const {
  const int last = mesh_.dimensions() - 1;
  std::vector<Slots> slots;
  for (int dimension = 0; dimension <= last; ++dimension) {
    const bool used = dimension < last || operand == work;
    const Count rounds = mesh_.side(dimension) - 1;
    slots.emplace_back(schedule, used ? std::min(Slots::usual, rounds) : 0, used ? largest_of(dimension) : 0);
  }
  schedule.add_rounds(static_cast<std::size_t>(mesh_.hops()), [*this, slots, last, operand, work, result](
                                                                  std::size_t index, Round& round) {
    const auto [dimension, step] = ring_round(mesh_, index, true);
    // Blocks of which I have received nothing yet are still in my operand.
    const Segment& mine = dimension == last ? operand : work;
    const std::int64_t sent = std::int64_t{mesh_.coordinate(me_, dimension)} - step - 1;
    round.send(mesh_.onward(me_, dimension, 1), blocks_of(step == 0 ? mine : work, dimension, sent));

    const Segments addends = blocks_of(mine, dimension, sent - 1);
    const bool is_last = dimension == 0 && step == mesh_.side(0) - 2;
    const Segments sums = is_last ? Segments(result) : blocks_of(work, dimension, sent - 1);
    const Rank from = mesh_.onward(me_, dimension, -1);
    const bool sums_begun = is_last ? own(mine) == result : mine == work;
    if (sums_begun) {
      Segment arrival = slots[static_cast<std::size_t>(dimension)].at(step, sums.count());
      round.receive(from, arrival);
      for (const Segment& sum : sums) {
        round.combine_right(sum, {arrival.buffer, arrival.offset, sum.count});
        arrival.offset += sum.count;
      }
    } else {
      round.receive(from, sums);
      for (std::size_t i = 0; i < sums.size(); ++i) round.combine_right(sums.begin()[i], addends.begin()[i]);
    }
  });
}

void add_whole_rings(Schedule& schedule, const Mesh& mesh, Rank me, const Segment& vector, bool ordered) {
  const Count count = mesh.dimensions() == 0 ? 0 : vector.count;
  const Segment behind = schedule.add_scratch(ordered ? count : 0);  // the result of the ranks behind me in the ring
  const Slots received(schedule, std::min(Slots::usual, mesh.hops()), count);
  schedule.add_rounds(static_cast<std::size_t>(mesh.hops()), [=](std::size_t index, Round& round) {
    const auto [dimension, step] = ring_round(mesh, index, true);
    const Rank side = mesh.side(dimension);
    // If the order need not be kept, all ranks count as before me.
    const Rank here = ordered ? mesh.coordinate(me, dimension) : side;
    // The operand of the rank `back` places back arrives: first from the ranks before me, downward, then from the
    // others, from the last one downward. The first of the others is received as a result, unless it is the only one.
    const auto place = [&](Rank back, std::size_t at) {
      const bool begins = back == here + 1 && back < side - 1;
      return begins ? behind : received.at(static_cast<Count>(at), vector.count);
    };
    const Rank back = step + 1;
    const Segment arrival = place(back, index);
    round.send(mesh.onward(me, dimension, 1), step == 0 ? vector : place(step, index - 1));
    round.receive(mesh.onward(me, dimension, -1), arrival);
    if (back <= here) {
      round.combine_left(vector, arrival);
    } else if (back < side - 1) {
      if (arrival != behind) round.combine_left(behind, arrival);
    } else {
      round.combine_right(vector, arrival);
      if (back > here + 1) round.combine_right(vector, behind);
    }
  });
}

Schedule collect_on(const Mesh& mesh, const Problem& problem, Rank me) {
  const Blocks& blocks = problem.blocks;
  const MeshRings rings(mesh, blocks, me, MeshRings::Order::ranks);
  const Segment vector{Buffer::output, 0, blocks.total()};
  Schedule schedule;
  add_own_block(schedule, problem, me);
  rings.add_collect(schedule, vector);
  return schedule;
}

Schedule reduce_on(const Mesh& mesh, const Problem& problem, Rank me) {
  const Blocks& blocks = problem.blocks;
  const Segment operand{Buffer::input, 0, blocks.total()};
  const Segment result{Buffer::output, 0, blocks.count(me)};
  Schedule schedule;
  if (problem.ranks == 1) {
    schedule.add_round().copy(result, operand);
    return schedule;
  }
  const Segment work = schedule.add_scratch(operand.count);
  MeshRings(mesh, blocks, me, MeshRings::Order::ranks).add_distributed_reduction(schedule, operand, work, result);
  return schedule;
}

Schedule combine_on(const Mesh& mesh, int whole, const Problem& problem, Rank me) {
  const Segment operand = problem.all(operand_buffer(problem, me));
  const Segment vector = problem.all();
  const Mesh divided = mesh.after(whole);
  const MeshRings rings(divided, Blocks::split(divided.size(), problem.count), me, MeshRings::Order::rings);

  Schedule schedule;
  if (divided.dimensions() > 0) {
    rings.add_distributed_reduction(schedule, operand, vector, rings.own(vector));
  } else if (operand != vector) {
    schedule.add_round().copy(vector, operand);
  }
  add_whole_rings(schedule, mesh.first(whole), me, rings.own(vector), !problem.commutative);
  rings.add_collect(schedule, vector);
  return schedule;
}

namespace costs {

Cost collect(const Mesh& mesh, Count block) {
  Cost cost;
  Count blocks = 1;  // blocks in a message
  for (int dimension = 0; dimension < mesh.dimensions(); ++dimension) {
    const Count hops = mesh.side(dimension) - 1;
    const Count volume = hops * blocks * block;
    cost = cost + mesh.along(dimension, {hops, volume, mesh.size() * volume, 0, mesh.size() * hops});
    blocks *= mesh.side(dimension);
  }
  return cost;
}

Cost distributed_reduction(const Mesh& mesh, Count block) {
  Cost cost = collect(mesh, block);
  cost.combined = (mesh.size() - 1) * block;
  return cost;
}

Cost whole_rings(const Mesh& mesh, Count count, bool ordered) {
  const Count rounds = mesh.hops();
  Count combinations = rounds;
  // In order, a rank of a ring of three or more joins two results at the end.
  for (int dimension = 0; dimension < mesh.dimensions(); ++dimension) {
    combinations += ordered && mesh.side(dimension) > 2 ? 1 : 0;
  }
  return {rounds, rounds * count, rounds * count * mesh.size(), combinations * count, rounds * mesh.size()};
}

Cost combine_on(const Mesh& mesh, int whole, const Problem& problem) {
  const Mesh divided = mesh.after(whole);
  const Count piece = problem.count / divided.size();
  const Count groups = mesh.first(whole).size();
  Cost inner = distributed_reduction(divided, piece) + collect(divided, piece);
  inner.total *= groups;
  inner.messages *= groups;
  Cost outer = whole_rings(mesh.first(whole), piece, !problem.commutative);
  outer.total *= divided.size();
  outer.messages *= divided.size();
  return inner + outer;
}

}  // namespace costs
}  // namespace cohort
