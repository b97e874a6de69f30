// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "collectives/verifier/play.hpp"

namespace cohort::verifier {
namespace {

struct RoundSent {
  Rank from;
  std::size_t round;
  Values values;
};

struct RoundExpected {
  Rank from;
  std::size_t round;
  const Segments* segments;
};

struct RoundPlayer {
  std::size_t next_round = 0;
  Round storage;
  const Round* round = nullptr;    // its current round
  std::size_t incomplete = 0;      // messages of that round
  std::vector<RoundSent> arrived;  // for this rank, not yet received
  std::vector<RoundExpected> expected;
};

class RoundGame {
 public:
  RoundGame(std::span<const Schedule> schedules, std::span<Memory> memories)
      : schedules_(schedules), memories_(memories), players_(schedules.size()) {}

  void play() {
    for (std::size_t rank = 0; rank < players_.size(); ++rank) movable_.push_back(static_cast<Rank>(rank));
    while (!movable_.empty()) {
      const Rank rank = movable_.back();
      movable_.pop_back();
      move(rank);
    }
    check_ended();
  }

 private:
  RoundPlayer& player(Rank rank) { return players_[static_cast<std::size_t>(rank)]; }
  Memory& memory(Rank rank) { return memories_[static_cast<std::size_t>(rank)]; }

  // Plays on until the rank waits in a round, or ends.
  void move(Rank rank) {
    const Schedule& schedule = schedules_[static_cast<std::size_t>(rank)];
    RoundPlayer& me = player(rank);
    while (true) {
      if (me.round != nullptr) {
        for (const Step& step : me.round->steps()) memory(rank).perform(step, me.next_round - 1);
        me.round = nullptr;
      }
      if (me.next_round == schedule.rounds()) return;
      me.round = &schedule.round(me.next_round, me.storage);
      // Counts one message more while the rank enters the round, so that the rank does not count as movable.
      me.incomplete = me.round->receives().size() + me.round->sends().size() + 1;
      ++me.next_round;
      enter(rank, *me.round, me.next_round - 1);
      if (--me.incomplete > 0) return;
    }
  }

  void enter(Rank rank, const Round& round, std::size_t index) {
    // All sends read the values from before the round, so they read before anything is received.
    for (const Message& send : round.sends()) {
      RoundSent sent{rank, index, {}};
      memory(rank).read(send.segments, index, sent.values);
      outgoing_.emplace_back(send.peer, std::move(sent));
    }
    for (auto& [to, sent] : outgoing_) {
      std::vector<RoundExpected>& expected = player(to).expected;
      const auto match = std::ranges::find(expected, rank, &RoundExpected::from);
      if (match == expected.end()) {
        player(to).arrived.push_back(std::move(sent));
      } else {
        const RoundExpected receive = *match;
        expected.erase(match);
        meet(to, sent, receive);
      }
    }
    outgoing_.clear();
    for (const Message& receive : round.receives()) {
      std::vector<RoundSent>& arrived = player(rank).arrived;
      const auto match = std::ranges::find(arrived, receive.peer, &RoundSent::from);
      const RoundExpected expected{receive.peer, index, &receive.segments};
      if (match == arrived.end()) {
        player(rank).expected.push_back(expected);
      } else {
        const RoundSent sent = std::move(*match);
        arrived.erase(match);
        meet(rank, sent, expected);
      }
    }
  }

  void meet(Rank to, const RoundSent& sent, const RoundExpected& receive) {
    const auto sent_count = static_cast<Count>(sent.values.size());
    if (sent_count != receive.segments->count()) {
      throw Complaint(to, receive.round,
                      "receives " + std::to_string(receive.segments->count()) + " elements from rank " +
                          std::to_string(sent.from) + ", which sends " + std::to_string(sent_count) + " in round " +
                          std::to_string(sent.round));
    }
    memory(to).write(*receive.segments, sent.values);
    completed(to);
    completed(sent.from);
  }

  void completed(Rank rank) {
    if (--player(rank).incomplete == 0) movable_.push_back(rank);
  }

  void check_ended() {
    for (std::size_t i = 0; i < players_.size(); ++i) {
      const auto rank = static_cast<Rank>(i);
      const RoundPlayer& stuck = players_[i];
      if (stuck.round == nullptr) continue;
      for (const RoundExpected& expected : stuck.expected) {
        throw Complaint(rank, expected.round, "waits for ever to receive from rank " + std::to_string(expected.from));
      }
    }
    for (std::size_t i = 0; i < players_.size(); ++i) {
      for (const RoundSent& sent : players_[i].arrived) {
        throw Complaint(sent.from, sent.round, "its message to rank " + std::to_string(i) + " is never received");
      }
    }
  }

  std::span<const Schedule> schedules_;
  std::span<Memory> memories_;
  std::vector<RoundPlayer> players_;
  std::vector<Rank> movable_;
  std::vector<std::pair<Rank, RoundSent>> outgoing_;
};

}  // namespace

void play_rounds(std::span<const Schedule> schedules, std::span<Memory> memories) {
  RoundGame(schedules, memories).play();
}

}  // namespace cohort::verifier
