// SPDX-License-Identifier: Apache-2.0
#include "collectives/patterns/embedding.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace cohort {

namespace {

// The part's rounds, with the whole schedule's ranks and buffers.
class Renamed {
 public:
  Renamed(Schedule& whole, Schedule part, const Embedding& embedding)
      : scratch_(whole.add_scratch(part.scratch()).offset),
        part_(std::make_shared<const Schedule>(std::move(part))),
        embedding_(embedding) {
    whole.take_terms(*part_);
  }

  std::size_t rounds() const { return part_->rounds(); }

  void operator()(std::size_t index, Round& round) const {
    const Round& made = part_->round(index, round);
    if (&made != &round) round = made;
    round.rename([this](Rank rank) { return embedding_.rank_of ? embedding_.rank_of(rank) : rank; },
                 [this](const Segment& segment) { return place_of(segment); });
  }

 private:
  Segment place_of(const Segment& segment) const {
    if (segment.buffer == Buffer::scratch) return {Buffer::scratch, scratch_ + segment.offset, segment.count};
    const Segment& begin = segment.buffer == Buffer::input ? embedding_.input : embedding_.output;
    return {begin.buffer, begin.offset + segment.offset, segment.count};
  }

  Count scratch_;
  std::shared_ptr<const Schedule> part_;
  Embedding embedding_;
};

}  // namespace

void append_part(Schedule& whole, Schedule part, const Embedding& embedding) {
  const Renamed renamed(whole, std::move(part), embedding);
  whole.add_rounds(renamed.rounds(), renamed);
}

void append_in_turn(Schedule& whole, Part first, Part second, std::size_t delay) {
  const Renamed early(whole, std::move(first.schedule), first.embedding);
  const Renamed late(whole, std::move(second.schedule), second.embedding);
  const std::size_t late_end = late.rounds() == 0 ? 0 : delay + late.rounds();
  whole.add_rounds(2 * std::max(early.rounds(), late_end), [=](std::size_t index, Round& round) {
    const std::size_t turn = index / 2;
    if (index % 2 == 0 && turn < early.rounds()) early(turn, round);
    if (index % 2 == 1 && turn >= delay && turn < late_end) late(turn - delay, round);
  });
}

void add_rounds_until(Schedule& schedule, std::size_t rounds) {
  if (schedule.rounds() < rounds) schedule.add_rounds(rounds - schedule.rounds(), [](std::size_t, Round&) {});
}

}  // namespace cohort
