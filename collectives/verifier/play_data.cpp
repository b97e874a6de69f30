#include <algorithm>
#include <memory>

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

// Something that may complete now: a step, or a message whose send and receive have both started.
struct Event {
  Rank rank;  // of the step or of the receive
  Action* action;
  Rank sender = -1;
  Action* send = nullptr;
};

struct Posted {
  Rank peer;
  Action* action;
};

struct Player {
  std::unique_ptr<Dataflow> dataflow;
  std::vector<Posted> arriving;  // sends to this rank that have started
  std::vector<Posted> receives;  // receives of this rank that have started
  bool may_start = true;
};

class Game {
 public:
  Game(std::span<const Schedule> schedules, std::span<Memory> memories, std::uint64_t seed, Rank held_back)
      : schedules_(schedules), memories_(memories), random_(seed), players_(schedules.size()) {
    static constexpr std::size_t windows[] = {1, 2, 3, Dataflow::default_window};
    for (std::size_t i = 0; i < players_.size(); ++i) {
      if (static_cast<Rank>(i) == held_back) continue;
      check_form(i);
      players_[i].dataflow = std::make_unique<Dataflow>(schedules[i], windows[random_.below(std::size(windows))]);
      startable_.push_back(static_cast<Rank>(i));
    }
  }

  std::vector<bool> play() {
    while (!startable_.empty() || !events_.empty()) {
      const std::size_t choice = random_.below(startable_.size() + events_.size());
      if (choice < startable_.size()) {
        start(choice);
      } else {
        complete(choice - startable_.size());
      }
    }
    std::vector<bool> ended;
    for (const Player& player : players_) ended.push_back(player.dataflow && player.dataflow->finished());
    return ended;
  }

 private:
  Player& player(Rank rank) { return players_[static_cast<std::size_t>(rank)]; }
  Memory& memory(Rank rank) { return memories_[static_cast<std::size_t>(rank)]; }

  void check_form(std::size_t rank) {
    Round storage;
    for (std::size_t i = 0; i < schedules_[rank].rounds(); ++i) {
      memories_[rank].check_form(schedules_[rank].round(i, storage), i);
    }
  }

  static Action* take(std::vector<Posted>& posted, Rank peer) {
    const auto match = std::ranges::find(posted, peer, &Posted::peer);
    if (match == posted.end()) return nullptr;
    Action* action = match->action;
    posted.erase(match);
    return action;
  }

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
        if (Action* receive = take(player(action->peer).receives, rank)) {
          events_.push_back({action->peer, receive, rank, action});
        } else {
          player(action->peer).arriving.push_back({rank, action});
        }
        break;
      case Action::Kind::receive:
        if (Action* send = take(player(rank).arriving, action->peer)) {
          events_.push_back({rank, action, action->peer, send});
        } else {
          player(rank).receives.push_back({action->peer, action});
        }
        break;
    }
  }

  void complete(std::size_t choice) {
    const Event event = events_[choice];
    events_[choice] = events_.back();
    events_.pop_back();
    if (event.send == nullptr) {
      memory(event.rank).perform(event.action->step, event.action->round);
    } else {
      deliver(event);
      completed(event.sender, *event.send);
    }
    completed(event.rank, *event.action);
  }

  void deliver(const Event& event) {
    values_.clear();
    memory(event.sender).read(event.send->segments, event.send->round, values_);
    const Count expected = event.action->segments.count();
    if (static_cast<Count>(values_.size()) != expected) {
      throw Complaint(event.rank, event.action->round,
                      "receives " + std::to_string(expected) + " elements from rank " + std::to_string(event.sender) +
                          ", which sends " + std::to_string(values_.size()) + " in round " +
                          std::to_string(event.send->round));
    }
    memory(event.rank).write(event.action->segments, values_);
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
  std::vector<Player> players_;
  std::vector<Rank> startable_;  // ranks whose dataflow may have an action to start
  std::vector<Event> events_;
  Values values_;
};

}  // namespace

std::vector<bool> play_data(std::span<const Schedule> schedules, std::span<Memory> memories, std::uint64_t seed,
                            Rank held_back) {
  return Game(schedules, memories, seed, held_back).play();
}

}  // namespace cohort::verifier
