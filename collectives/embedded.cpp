#include "collectives/embedded.hpp"

#include <utility>

namespace cohort {

Schedule embedded(Schedule schedule, const Embedding& embedding) {
  const auto rank = [embedding](Rank peer) { return embedding.first + peer * embedding.stride; };
  const auto place = [embedding](const Segment& segment) -> Segment {
    if (segment.buffer == Buffer::scratch) return segment;
    const Segment& begin = segment.buffer == Buffer::input ? embedding.input : embedding.output;
    return {begin.buffer, begin.offset + segment.offset, segment.count};
  };
  Schedule result;
  result.add_scratch(schedule.scratch());
  const std::size_t rounds = schedule.rounds();
  result.add_rounds(rounds, [schedule = std::move(schedule), rank, place](std::size_t index, Round& round) {
    Round storage;
    round = renamed(schedule.round(index, storage), rank, place);
  });
  return result;
}

}  // namespace cohort
