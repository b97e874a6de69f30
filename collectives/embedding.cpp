#include "collectives/embedding.hpp"

#include <memory>
#include <utility>

namespace cohort {

void append_part(Schedule& whole, Schedule part, const Embedding& embedding) {
  const std::size_t rounds = part.rounds();
  const Count scratch = whole.add_scratch(part.scratch()).offset;
  const auto rank_of = [embedding](Rank rank) { return embedding.rank_of ? embedding.rank_of(rank) : rank; };
  const auto place_of = [embedding, scratch](const Segment& segment) -> Segment {
    if (segment.buffer == Buffer::scratch) return {Buffer::scratch, scratch + segment.offset, segment.count};
    const Segment& begin = segment.buffer == Buffer::input ? embedding.input : embedding.output;
    return {begin.buffer, begin.offset + segment.offset, segment.count};
  };
  whole.add_rounds(rounds, [part = std::make_shared<const Schedule>(std::move(part)), rank_of, place_of](
                               std::size_t index, Round& round) {
    const Round& made = part->round(index, round);
    if (&made != &round) round = made;
    round.rename(rank_of, place_of);
  });
}

void add_rounds_until(Schedule& schedule, std::size_t rounds) {
  if (schedule.rounds() < rounds) schedule.add_rounds(rounds - schedule.rounds(), [](std::size_t, Round&) {});
}

}  // namespace cohort
