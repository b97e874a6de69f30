// All-to-all broadcast around a ring: every rank talks to its two neighbours only.
// Cost: (p - 1) (alpha + beta m) with blocks of m: the least volume, for networks where neighbours are near.
// Source: folklore; Watts 1994 ("bucket").
#include "collectives/concat/concat.hpp"
#include "collectives/peers.hpp"

namespace cohort::concat {

Schedule ring(const Problem& problem, Rank me) {
  const Rank p = problem.ranks;
  const Blocks& blocks = problem.blocks;
  Schedule schedule;
  if (!problem.in_place) {
    schedule.add_round().copy(blocks.block(Buffer::output, me), {Buffer::input, 0, blocks.count(me)});
  }
  schedule.add_rounds(static_cast<std::size_t>(p - 1), [blocks, p, me](std::size_t index, Round& round) {
    const auto behind = std::int64_t{me} - static_cast<std::int64_t>(index);
    round.send(modulo(me + std::int64_t{1}, p), blocks.block(Buffer::output, modulo(behind, p)));
    round.receive(modulo(me - std::int64_t{1}, p), blocks.block(Buffer::output, modulo(behind - 1, p)));
  });
  return schedule;
}

}  // namespace cohort::concat
