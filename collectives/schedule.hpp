// SPDX-License-Identifier: Apache-2.0
// A schedule: one rank's part in a collective operation, as a list of rounds, as the papers write it.
//
// Meaning (the verifier plays exactly this): rounds follow one another. Within a round all sends and receives happen at
// once, and the sends read the values from before the round; then the local steps run in order. Between any two ranks
// the n-th send of one meets the n-th receive of the other, and their lengths are equal.
//
// The runtime plays a schedule by its data instead (dataflow.hpp). That gives the same result and does not wait for
// whole rounds. It needs no buffers, because no receive of a round may write what a send of the same round reads.
//
// Offsets and counts are in elements, never bytes.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "cohort/types.hpp"
#include "collectives/small_vector.hpp"

namespace cohort {

enum class Buffer : std::uint8_t { input, output, scratch };

struct Segment {
  Buffer buffer = Buffer::output;
  Count offset = 0;
  Count count = 0;

  Count end() const { return offset + count; }
  friend bool operator==(const Segment&, const Segment&) = default;
};

inline bool overlap(const Segment& a, const Segment& b) {
  return a.buffer == b.buffer && a.offset < b.end() && b.offset < a.end();
}

std::string to_string(const Segment& segment);  // "output[4..8)"

// The contents of one message, in this order. Empty segments are dropped, neighbours are joined.
class Segments {
 public:
  Segments() = default;
  Segments(const Segment& segment) {  // NOLINT: a segment is a list of one
    if (segment.count > 0) list_.push_back(segment);
  }

  void add(const Segment& segment);
  Count count() const;
  bool empty() const { return list_.empty(); }
  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }
  std::size_t size() const { return list_.size(); }

  // Whether they have an element in common. A long list in the order of memory, such as a message with pieces of many
  // ranks' blocks, is searched by bisection.
  friend bool overlap(const Segments& a, const Segment& b) {
    if (a.ascending_ && a.size() > 4) return a.ordered_overlap(b);
    for (const Segment& segment : a) {
      if (overlap(segment, b)) return true;
    }
    return false;
  }

 private:
  bool ordered_overlap(const Segment& other) const;

  SmallVector<Segment, 2> list_;
  bool ascending_ = true;
};

struct Message {
  Message(Rank to_or_from, const Segments& what) : peer(to_or_from), segments(what) {}

  // The usual message of a long pipeline, without a copy of a Segments.
  Message(Rank to_or_from, Buffer buffer, Count offset, Count count)
      : peer(to_or_from), segments(Segment{buffer, offset, count}) {}

  Rank peer;
  Segments segments;
};

// target = source, or target = source + target (left), or target = target + source (right), element by element.
struct Step {
  enum class Kind : std::uint8_t { copy, combine_left, combine_right };
  Kind kind = Kind::copy;
  Segment target;
  Segment source;
};

class Round {
 public:
  // Drops messages without elements: both sides know the sizes, so both leave them out.
  void send(Rank peer, const Segments& segments);
  void send(Rank peer, const Segment& segment) {
    if (segment.count > 0) sends_.emplace_back(peer, segment.buffer, segment.offset, segment.count);
  }
  void receive(Rank peer, const Segments& segments);
  void receive(Rank peer, const Segment& segment) {
    if (segment.count > 0) receives_.emplace_back(peer, segment.buffer, segment.offset, segment.count);
  }

  // Sends an empty message, which tells the peer that this rank has reached this point.
  void signal(Rank peer);
  void await(Rank peer);

  void copy(const Segment& target, const Segment& source) { add({Step::Kind::copy, target, source}); }
  void combine_left(const Segment& target, const Segment& source) {
    add({Step::Kind::combine_left, target, source});
  }  // target = source (+) target
  void combine_right(const Segment& target, const Segment& source) {
    add({Step::Kind::combine_right, target, source});
  }  // target = target (+) source

  // No action of this round or a later one starts before all earlier actions of this rank are complete. Signals need a
  // fence because they carry no data; data need none.
  void fence() { fenced_ = true; }
  bool fenced() const { return fenced_; }

  const std::vector<Message>& sends() const { return sends_; }
  const std::vector<Message>& receives() const { return receives_; }
  const std::vector<Step>& steps() const { return steps_; }
  bool empty() const { return sends_.empty() && receives_.empty() && steps_.empty(); }
  void clear();

  // Renames every rank to rank_of(rank) and every segment to place_of(segment). Drops copies of a segment onto itself.
  template <class RankOf, class PlaceOf>
  void rename(const RankOf& rank_of, const PlaceOf& place_of) {
    for (std::vector<Message>* messages : {&sends_, &receives_}) {
      for (Message& message : *messages) {
        message.peer = rank_of(message.peer);
        Segments renamed;
        for (const Segment& segment : message.segments) renamed.add(place_of(segment));
        message.segments = renamed;
      }
    }
    for (Step& step : steps_) step = {step.kind, place_of(step.target), place_of(step.source)};
    std::erase_if(steps_, [](const Step& step) { return step.kind == Step::Kind::copy && step.target == step.source; });
  }

 private:
  void add(const Step& step) {
    if (step.target.count > 0) steps_.push_back(step);
  }

  std::vector<Message> sends_;
  std::vector<Message> receives_;
  std::vector<Step> steps_;
  bool fenced_ = false;
};

class Schedule {
 public:
  // Writes round `index` into `round`, which is empty. Pure: it may be called in any order, any number of times.
  using Generator = std::function<void(std::size_t index, Round& round)>;

  Round& add_round();

  // Adds `rounds` rounds that are made when they are needed: for pipelines of thousands of blocks.
  void add_rounds(std::size_t rounds, Generator generator);

  // Makes all rounds now and keeps them: for schedules of a few rounds that are played again and again.
  void make_rounds();

  // Plays `next` after this schedule. Each has scratch memory of its own.
  void append(Schedule next);

  // At most so many rounds are in progress at once, even if the data allow more.
  void keep_in_progress(std::size_t rounds) { most_in_progress_ = rounds; }
  std::size_t most_in_progress() const { return most_in_progress_; }

  // A message leaves only when its receiver has reached the receive and asks for the message.
  void send_on_request() { sends_on_request_ = true; }
  bool sends_on_request() const { return sends_on_request_; }

  // Takes over both limits above from a part of this schedule, if they are stricter.
  void take_terms(const Schedule& part);

  std::size_t rounds() const { return rounds_; }

  // All rounds, if none of them is made on demand.
  const std::vector<Round>* made_rounds() const;

  // Round `index`; `storage` holds the round if it is made on demand.
  const Round& round(std::size_t index, Round& storage) const;

  // add_scratch() returns `count` new elements of scratch memory; scratch() is the number of all.
  Segment add_scratch(Count count);
  Count scratch() const { return scratch_; }

 private:
  struct Lazy {
    std::size_t rounds;
    Generator generator;
  };
  struct Part {
    std::size_t first_round;
    Count scratch_offset;
    std::variant<std::vector<Round>, Lazy> rounds;
  };
  std::vector<Round>& open_part();

  std::vector<Part> parts_;
  std::size_t rounds_ = 0;
  std::size_t most_in_progress_ = std::numeric_limits<std::size_t>::max();
  bool sends_on_request_ = false;
  Count scratch_ = 0;
};

}  // namespace cohort
