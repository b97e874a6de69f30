// SPDX-License-Identifier: Apache-2.0
#include "collectives/simulator/by_data.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <queue>
#include <stdexcept>
#include <utility>
#include <vector>

#include "collectives/dataflow.hpp"
#include "collectives/simulator/ports.hpp"

namespace cohort {
namespace {

using simulator::Flow;
using simulator::Port;

struct Event {
  enum class Kind : std::uint8_t { turn_ended, port_wakes, received, requested, stepped };
  double time;
  std::size_t number;  // the order of events at the same time
  Kind kind;
  Rank rank;  // of a step
  void* about;

  bool operator>(const Event& other) const { return time != other.time ? time > other.time : number > other.number; }
};

struct Expected {
  Rank from;
  Action* action;
};

struct Player {
  std::unique_ptr<Dataflow> dataflow;
  std::vector<Expected> expected;  // receives that have not met their message
  std::vector<Flow*> coming;       // messages that have not met their receive
  double combines_until = 0;
};

class DataPlay {
 public:
  DataPlay(const std::function<Schedule(Rank)>& schedule_of, const Problem& problem, const OnMessage& on_message)
      : problem_(problem), on_message_(on_message), links_(problem), players_(static_cast<std::size_t>(problem.ranks)) {
    schedules_.reserve(players_.size());
    for (Rank rank = 0; rank < problem.ranks; ++rank) {
      schedules_.push_back(schedule_of(rank));
      player(rank).dataflow = std::make_unique<Dataflow>(schedules_.back());
    }
  }

  double play() {
    for (Rank rank = 0; rank < problem_.ranks; ++rank) start_all(rank);
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      now_ = event.time;
      happens(event);
    }
    for (const Player& player : players_) {
      if (!player.dataflow->finished()) throw std::logic_error("a schedule that is played by its data never ends");
    }
    return now_;
  }

 private:
  Player& player(Rank rank) { return players_[static_cast<std::size_t>(rank)]; }

  void later(double time, Event::Kind kind, void* about, Rank rank = 0) {
    events_.push({std::max(time, now_), ++number_, kind, rank, about});
  }

  void happens(const Event& event) {
    switch (event.kind) {
      case Event::Kind::turn_ended:
        return turn_ended(*static_cast<Port*>(event.about));
      case Event::Kind::port_wakes:
        return wake(*static_cast<Port*>(event.about));
      case Event::Kind::received:
        return received(*static_cast<Flow*>(event.about));
      case Event::Kind::requested:
        return enqueue(*static_cast<Flow*>(event.about), links_.first_port(*static_cast<Flow*>(event.about)));
      case Event::Kind::stepped:
        return completed(event.rank, *static_cast<Action*>(event.about));
    }
  }

  void start_all(Rank rank) {
    Dataflow& dataflow = *player(rank).dataflow;
    while (Action* action = dataflow.next()) {
      switch (action->kind) {
        case Action::Kind::step:
          perform(rank, *action);
          break;
        case Action::Kind::send:
          send(rank, *action);
          break;
        case Action::Kind::receive:
          receive(rank, *action);
          break;
      }
    }
  }

  void completed(Rank rank, Action& action) {
    player(rank).dataflow->completed(action);
    start_all(rank);
  }

  void perform(Rank rank, Action& action) {
    const double seconds =
        action.step.kind == Step::Kind::copy ? 0 : links_.combining_seconds(action.step.target.count);
    if (seconds == 0) return player(rank).dataflow->completed(action);
    double& until = player(rank).combines_until;
    const double start = std::max(now_, until);
    until = start + seconds;
    links_.hold(rank, start, seconds);
    later(until, Event::Kind::stepped, &action, rank);
  }

  void send(Rank rank, Action& action) {
    Flow& flow = new_flow();
    flow.send = &action;
    flow.from = rank;
    flow.to = action.peer;
    const Count elements = action.segments.count();
    flow.bytes = links_.bytes(elements);
    if (on_message_) on_message_(rank, action.peer, elements);
    std::vector<Expected>& expected = player(flow.to).expected;
    const auto match = std::ranges::find(expected, rank, &Expected::from);
    if (match != expected.end()) {
      flow.receive = match->action;
      expected.erase(match);
    } else {
      player(flow.to).coming.push_back(&flow);
      flow.awaits_request = schedules_[static_cast<std::size_t>(rank)].sends_on_request();
      if (flow.awaits_request) return;
    }
    enqueue(flow, links_.first_port(flow));
  }

  void receive(Rank rank, Action& action) {
    std::vector<Flow*>& coming = player(rank).coming;
    const auto match = std::ranges::find(coming, action.peer, &Flow::from);
    if (match == coming.end()) {
      player(rank).expected.push_back({action.peer, &action});
      return;
    }
    Flow& flow = **match;
    coming.erase(match);
    flow.receive = &action;
    if (flow.awaits_request) return later(now_ + links_.latency(flow), Event::Kind::requested, &flow);
    if (flow.is_there) later(now_, Event::Kind::received, &flow);
  }

  void received(Flow& flow) {
    flow.is_there = true;
    if (flow.receive == nullptr) return;
    Action& action = *flow.receive;
    const Rank to = flow.to;
    free_.push_back(&flow);
    completed(to, action);
  }

  void enqueue(Flow& flow, Port& port) {
    port.add(flow);
    if (port.serving == nullptr) serve(port);
  }

  // Begins the next turn of a port that serves nothing: now, or when the port is free again.
  void serve(Port& port) {
    if (port.is_empty()) return;
    if (port.free_at > now_) {
      if (!port.wakes) later(port.free_at, Event::Kind::port_wakes, &port);
      port.wakes = true;
      return;
    }
    Flow& flow = port.take();
    const simulator::Turn turn = links_.serve(port, flow, now_);
    later(turn.leaves, Event::Kind::turn_ended, &port);
    if (turn.is_last) later(turn.arrives, Event::Kind::received, &flow);
  }

  void wake(Port& port) {
    port.wakes = false;
    if (port.serving == nullptr) serve(port);
  }

  void turn_ended(Port& port) {
    Flow& flow = *std::exchange(port.serving, nullptr);
    Port* const next = links_.next_port(port, flow);
    if (next != nullptr) {
      port.leave(flow, links_.most_in_a_turn());
      enqueue(flow, *next);
    } else if (flow.bytes > 0) {
      port.put_back(flow);
    } else {
      port.leave(flow, links_.most_in_a_turn());
      completed(flow.from, *flow.send);
    }
    if (port.serving == nullptr) serve(port);
  }

  Flow& new_flow() {
    if (free_.empty()) return flows_.emplace_back();
    Flow& flow = *free_.back();
    free_.pop_back();
    return flow = Flow{};
  }

  const Problem& problem_;
  const OnMessage& on_message_;
  simulator::Links links_;
  std::vector<Schedule> schedules_;
  std::vector<Player> players_;
  std::deque<Flow> flows_;  // as many as were ever needed at once
  std::vector<Flow*> free_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  double now_ = 0;
  std::size_t number_ = 0;
};

}  // namespace

double seconds_played_by_data(const std::function<Schedule(Rank)>& schedule_of, const Problem& problem,
                              const OnMessage& on_message) {
  return DataPlay(schedule_of, problem, on_message).play();
}

}  // namespace cohort
