// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "collectives/dataflow.hpp"
#include "collectives/verifier/play.hpp"

namespace cohort::verifier {
namespace {

// SplitMix64 (Steele, Lea and Flood 2014): the same sequence everywhere, so that a seed replays a failure.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::size_t below(std::size_t bound) {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return static_cast<std::size_t>((mixed ^ mixed >> 31) % bound);
  }

 private:
  std::uint64_t state_;
};

// A send that has started. If it does not wait for its receive, its data are copied here and it is complete.
struct Sent {
  Rank from;
  std::size_t round;
  Action* waiting = nullptr;
  Values values = {};
};

struct Expected {
  Rank from;
  Action* action;
};

// An action that may complete now: a step, or a receive that has met its message.
struct Event {
  Rank rank;
  Action* action;
  std::optional<Sent> sent = {};
};

// Takes the first entry from this rank out of the list.
template <class Entry>
std::optional<Entry> take(std::vector<Entry>& entries, Rank from) {
  const auto match = std::ranges::find(entries, from, &Entry::from);
  if (match == entries.end()) return {};
  std::optional<Entry> entry = std::move(*match);
  entries.erase(match);
  return entry;
}

struct Player {
  std::unique_ptr<Dataflow> dataflow;
  std::vector<Sent> arriving;      // for this rank, not yet received
  std::vector<Expected> expected;  // receives of this rank that have started
  bool may_start = true;
};

class Game {
 public:
  Game(std::span<const Schedule> schedules, std::span<Memory> memories, std::uint64_t seed)
      : schedules_(schedules), memories_(memories), random_(seed), players_(schedules.size()) {}

  void choose_rules() {
    static constexpr Sends rules[] = {Sends::wait, Sends::never_wait, Sends::either};
    sends_ = rules[random_.below(std::size(rules))];
  }

  void start_all(Rank held_back) {
    static constexpr std::size_t windows[] = {1, 2, 3, Dataflow::default_window};
    for (std::size_t i = 0; i < players_.size(); ++i) {
      if (static_cast<Rank>(i) == held_back) continue;
      const std::size_t window = windows[random_.below(std::size(windows))];
      players_[i].dataflow = std::make_unique<Dataflow>(schedules_[i], window);
      startable_.push_back(static_cast<Rank>(i));
    }
  }

  void play() {
    while (!startable_.empty() || !events_.empty()) {
      const std::size_t choice = random_.below(startable_.size() + events_.size());
      if (choice < startable_.size()) {
        start(choice);
      } else {
        complete(choice - startable_.size());
      }
    }
  }

  std::vector<Rank> ended() const {
    std::vector<Rank> ended;
    for (std::size_t i = 0; i < players_.size(); ++i) {
      if (players_[i].dataflow && players_[i].dataflow->finished()) ended.push_back(static_cast<Rank>(i));
    }
    return ended;
  }

  void check_ended() {
    for (std::size_t i = 0; i < players_.size(); ++i) {
      if (!players_[i].dataflow->finished()) throw Complaint("rank " + std::to_string(i) + " never completes");
    }
    for (std::size_t i = 0; i < players_.size(); ++i) {
      for (const Sent& sent : players_[i].arriving) {
        throw Complaint(sent.from, sent.round, "its message to rank " + std::to_string(i) + " is never received");
      }
    }
  }

 private:
  Player& player(Rank rank) { return players_[static_cast<std::size_t>(rank)]; }
  Memory& memory(Rank rank) { return memories_[static_cast<std::size_t>(rank)]; }

  void start(std::size_t choice) {
    const Rank rank = startable_[choice];
    Action* action = player(rank).dataflow->next();
    if (action == nullptr) {
      player(rank).may_start = false;
      startable_[choice] = startable_.back();
      startable_.pop_back();
      return;
    }
    switch (action->kind) {
      case Action::Kind::step:
        events_.push_back({rank, action});
        break;
      case Action::Kind::send:
        send(rank, *action);
        break;
      case Action::Kind::receive:
        if (auto sent = take(player(rank).arriving, action->peer)) {
          events_.push_back({rank, action, std::move(sent)});
        } else {
          player(rank).expected.push_back({action->peer, action});
        }
        break;
    }
  }

  void send(Rank rank, Action& action) {
    const Rank to = action.peer;
    Sent sent{rank, action.round};
    if (sends_ == Sends::wait || (sends_ == Sends::either && random_.below(2) == 0)) {
      sent.waiting = &action;
    } else {
      memory(rank).read(action.segments, action.round, sent.values);
      completed(rank, action);
    }
    if (const auto receive = take(player(to).expected, rank)) {
      events_.push_back({to, receive->action, std::move(sent)});
    } else {
      player(to).arriving.push_back(std::move(sent));
    }
  }

  void complete(std::size_t choice) {
    Event event = std::move(events_[choice]);
    events_[choice] = std::move(events_.back());
    events_.pop_back();
    if (event.sent) {
      deliver(*event.sent, event.rank, *event.action);
    } else {
      memory(event.rank).perform(event.action->step, event.action->round);
    }
    completed(event.rank, *event.action);
  }

  void deliver(Sent& sent, Rank to, const Action& receive) {
    if (sent.waiting != nullptr) {
      memory(sent.from).read(sent.waiting->segments, sent.round, sent.values);
      completed(sent.from, *sent.waiting);
    }
    const Count expected = receive.segments.count();
    if (static_cast<Count>(sent.values.size()) != expected) {
      throw Complaint(to, receive.round,
                      "receives " + std::to_string(expected) + " elements from rank " + std::to_string(sent.from) +
                          ", which sends " + std::to_string(sent.values.size()) + " in round " +
                          std::to_string(sent.round));
    }
    memory(to).write(receive.segments, sent.values);
  }

  void completed(Rank rank, Action& action) {
    player(rank).dataflow->completed(action);
    if (!player(rank).may_start) {
      player(rank).may_start = true;
      startable_.push_back(rank);
    }
  }

  std::span<const Schedule> schedules_;
  std::span<Memory> memories_;
  Random random_;
  enum class Sends : std::uint8_t { wait, never_wait, either };
  Sends sends_ = Sends::never_wait;
  std::vector<Player> players_;
  std::vector<Rank> startable_;  // ranks whose dataflow may have an action to start
  std::vector<Event> events_;
};

}  // namespace

void play_data(std::span<const Schedule> schedules, std::span<Memory> memories, std::uint64_t seed) {
  Game game(schedules, memories, seed);
  game.choose_rules();
  game.start_all(-1);
  game.play();
  game.check_ended();
}

std::vector<Rank> play_without(Rank held_back, std::span<const Schedule> schedules, std::span<Memory> memories,
                               std::uint64_t seed) {
  Game game(schedules, memories, seed);
  game.start_all(held_back);
  game.play();
  return game.ended();
}

}  // namespace cohort::verifier
