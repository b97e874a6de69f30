// SPDX-License-Identifier: Apache-2.0
#include "collectives/pictures/trace.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <stdexcept>
#include <utility>

#include "collectives/verifier.hpp"
#include "collectives/verifier/memory.hpp"

namespace cohort::pictures {
namespace {

using verifier::Memory;
using verifier::Value;
using verifier::Values;

// A message as the symbolic play sees it.
struct Played {
  Rank from = 0;
  Rank to = 0;
  Values values;
  std::vector<bool> entered;  // ranks of which the sender knows that they have entered the barrier
  bool combined = false;
  bool received = false;
};

// Plays all ranks round by round: each message is received in the round in which it is sent.
class Play {
 public:
  Play(const Algorithm& algorithm, const Problem& problem)
      : problems_(same_for_all(problem)), specification_(problems_), words_(problem.commutative) {
    const auto p = static_cast<std::size_t>(problem.ranks);
    memories_.reserve(p);
    for (Rank me = 0; me < problem.ranks; ++me) {
      schedules_.push_back(algorithm.schedule(problem, me));
      rounds_ = std::max(rounds_, schedules_.back().rounds());
      memories_.emplace_back(specification_, words_, me, schedules_.back().scratch());
      entered_.emplace_back(p).at(static_cast<std::size_t>(me)) = true;
    }
    storage_.resize(p);
  }

  std::size_t rounds() const { return rounds_; }
  const verifier::Words& words() const { return words_; }

  // The messages of the round, by sender; messages of one sender are in the schedule's order.
  std::vector<Played> play(std::size_t index) {
    std::vector<Played> messages;
    for_each_rank(index, [&](Rank me, const Round& round) {
      memory(me).check_form(round, index);
      for (const Message& send : round.sends()) {
        Played& message = messages.emplace_back(Played{me, send.peer, {}, entered(me)});
        memory(me).read(send.segments, index, message.values);
      }
    });
    for_each_rank(index, [&](Rank me, const Round& round) {
      for (const Message& receive : round.receives()) deliver(me, receive, round, messages);
    });
    for_each_rank(index, [&](Rank me, const Round& round) {
      for (const Step& step : round.steps()) memory(me).perform(step, index);
    });
    return messages;
  }

  void check_results() const {
    for (const Memory& memory : memories_) memory.check_result();
  }

 private:
  Memory& memory(Rank rank) { return memories_[static_cast<std::size_t>(rank)]; }
  std::vector<bool>& entered(Rank rank) { return entered_[static_cast<std::size_t>(rank)]; }

  template <class Act>
  void for_each_rank(std::size_t index, const Act& act) {
    for (std::size_t i = 0; i < schedules_.size(); ++i) {
      if (index < schedules_[i].rounds()) act(static_cast<Rank>(i), schedules_[i].round(index, storage_[i]));
    }
  }

  void deliver(Rank me, const Message& receive, const Round& round, std::vector<Played>& messages) {
    const auto sent = std::ranges::find_if(messages, [&](const Played& message) {
      return message.from == receive.peer && message.to == me && !message.received;
    });
    if (sent == messages.end() || static_cast<Count>(sent->values.size()) != receive.segments.count()) {
      throw std::runtime_error("rank " + std::to_string(me) + " receives what rank " + std::to_string(receive.peer) +
                               " does not send in the same round");
    }
    sent->received = true;
    memory(me).write(receive.segments, sent->values);
    for (std::size_t rank = 0; rank < sent->entered.size(); ++rank) {
      if (sent->entered[rank]) entered(me)[rank] = true;
    }
    for (const Step& step : round.steps()) {
      for (const Segment& segment : receive.segments) {
        const bool touched = overlap(step.source, segment) || overlap(step.target, segment);
        sent->combined = sent->combined || (step.kind != Step::Kind::copy && touched);
      }
    }
  }

  std::vector<Problem> problems_;
  verifier::Specification specification_;
  verifier::Words words_;
  std::vector<Schedule> schedules_;
  std::vector<Memory> memories_;
  std::vector<std::vector<bool>> entered_;
  std::vector<Round> storage_;
  std::size_t rounds_ = 0;
};

// The places where some message begins or ends a run of elements. Between them the vector is never cut.
std::vector<Count> cuts_of(const std::vector<Played>& messages) {
  std::set<Count> cuts;
  for (const Played& message : messages) {
    const Values& values = message.values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i == 0 || values[i].element != values[i - 1].element + 1) {
        if (i > 0) cuts.insert(values[i - 1].element + 1);
        cuts.insert(values[i].element);
      }
      if (i + 1 == values.size()) cuts.insert(values[i].element + 1);
    }
  }
  return {cuts.begin(), cuts.end()};
}

class Reader {
 public:
  Reader(const Problem& problem, const verifier::Words& words, const std::vector<Played>& messages)
      : problem_(problem), words_(words) {
    switch (problem.operation) {
      case Operation::gather:
      case Operation::concat:
      case Operation::index:
      case Operation::shift:
        meaning_ = Meaning::origin;
        break;
      case Operation::scatter:
      case Operation::reduce_scatter:
        meaning_ = Meaning::destination;
        for (Rank rank = 0; rank <= problem.ranks; ++rank) cuts_.push_back(problem.blocks.offset(rank));
        break;
      case Operation::sync:
        meaning_ = Meaning::entered;
        break;
      default:
        cuts_ = cuts_of(messages);
        meaning_ = cuts_.size() > 2 ? Meaning::piece : reduces(problem.operation) ? Meaning::operands : Meaning::whole;
    }
  }

  Meaning meaning() const { return meaning_; }
  int parts() const {
    if (meaning_ == Meaning::whole) return 1;
    return meaning_ == Meaning::piece ? static_cast<int>(cuts_.size()) - 1 : problem_.ranks;
  }

  std::vector<int> parts(const Played& message) const {
    std::set<int> parts;
    if (meaning_ == Meaning::entered) {
      for (std::size_t rank = 0; rank < message.entered.size(); ++rank) {
        if (message.entered[rank]) parts.insert(static_cast<int>(rank));
      }
    }
    for (const Value& value : message.values) {
      if (meaning_ == Meaning::piece || meaning_ == Meaning::destination) {
        const auto after = std::upper_bound(cuts_.begin(), cuts_.end(), Count{value.element});
        parts.insert(static_cast<int>(after - cuts_.begin()) - 1);
      } else if (meaning_ != Meaning::whole) {
        for (const char32_t letter : words_.letters(value.word)) parts.insert(static_cast<int>(letter));
      }
    }
    return {parts.begin(), parts.end()};
  }

 private:
  const Problem& problem_;
  const verifier::Words& words_;
  Meaning meaning_ = Meaning::whole;
  std::vector<Count> cuts_;
};

}  // namespace

Trace trace(const Algorithm& algorithm, const Problem& problem, Ports ports) {
  Play play(algorithm, problem);
  std::vector<Played> played;
  for (std::size_t index = 0; index < play.rounds(); ++index) {
    std::vector<Played> round = play.play(index);
    std::move(round.begin(), round.end(), std::back_inserter(played));
  }
  play.check_results();

  Trace trace;
  const Reader reader(problem, play.words(), played);
  trace.meaning = reader.meaning();
  trace.parts = reader.parts();
  trace.simulation = simulate(algorithm, problem, ports, [&](const TimedMessage& transfer) {
    trace.messages.push_back({transfer.round,
                              transfer.from,
                              transfer.to,
                              transfer.start,
                              transfer.end,
                              transfer.segments->count(),
                              false,
                              {}});
  });
  // In the order of the play: by round and sender; messages of one round and sender are in the schedule's order.
  std::ranges::stable_sort(trace.messages, [](const TracedMessage& a, const TracedMessage& b) {
    return a.round != b.round ? a.round < b.round : a.from < b.from;
  });
  std::size_t rounds = 0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < trace.messages.size(); ++i) {
    TracedMessage& message = trace.messages[i];
    message.combined = played.at(i).combined;
    message.parts = reader.parts(played[i]);
    if (i == 0 || message.round != last) ++rounds;
    last = std::exchange(message.round, rounds);
  }
  return trace;
}

}  // namespace cohort::pictures
