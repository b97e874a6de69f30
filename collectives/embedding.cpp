#include "collectives/embedding.hpp"

#include <memory>
#include <utility>

namespace cohort {
namespace {

class Embedded {
 public:
  Embedded(Schedule part, Embedding embedding, Count scratch)
      : part_(std::move(part)), embedding_(std::move(embedding)), scratch_(scratch) {}

  void write(std::size_t index, Round& round) const {
    Round storage;
    const Round& original = part_.round(index, storage);
    for (const Message& send : original.sends()) {
      const Rank peer = rank_of(send.peer);
      send.segments.empty() ? round.signal(peer) : round.send(peer, placed(send.segments));
    }
    for (const Message& receive : original.receives()) {
      const Rank peer = rank_of(receive.peer);
      receive.segments.empty() ? round.await(peer) : round.receive(peer, placed(receive.segments));
    }
    for (const Step& step : original.steps()) write(step, round);
    if (original.fenced()) round.fence();
  }

 private:
  Rank rank_of(Rank rank) const { return embedding_.rank_of ? embedding_.rank_of(rank) : rank; }

  Segment placed(const Segment& segment) const {
    switch (segment.buffer) {
      case Buffer::input:
        return {embedding_.input.buffer, embedding_.input.offset + segment.offset, segment.count};
      case Buffer::output:
        return {embedding_.output.buffer, embedding_.output.offset + segment.offset, segment.count};
      default:
        return {Buffer::scratch, scratch_ + segment.offset, segment.count};
    }
  }

  Segments placed(const Segments& segments) const {
    Segments result;
    for (const Segment& segment : segments) result.add(placed(segment));
    return result;
  }

  void write(const Step& step, Round& round) const {
    const Segment target = placed(step.target);
    const Segment source = placed(step.source);
    switch (step.kind) {
      case Step::Kind::copy:
        if (target != source) round.copy(target, source);
        break;
      case Step::Kind::combine_left:
        round.combine_left(target, source);
        break;
      case Step::Kind::combine_right:
        round.combine_right(target, source);
        break;
    }
  }

  Schedule part_;
  Embedding embedding_;
  Count scratch_;
};

}  // namespace

void append_part(Schedule& whole, Schedule part, const Embedding& embedding) {
  const std::size_t rounds = part.rounds();
  const Count scratch = whole.add_scratch(part.scratch()).offset;
  const auto embedded = std::make_shared<const Embedded>(std::move(part), embedding, scratch);
  whole.add_rounds(rounds, [embedded](std::size_t index, Round& round) { embedded->write(index, round); });
}

void add_rounds_until(Schedule& schedule, std::size_t rounds) {
  while (schedule.rounds() < rounds) schedule.add_round();
}

}  // namespace cohort
