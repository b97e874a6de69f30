// Plays one rank's schedule by its data: says which action may start now, whoever performs it (the engine over a
// transport, the verifier, a simulator).
//
// An action may start when no earlier action of this rank that has yet to complete touches its elements in a
// conflicting way (one of the two writes), and when the earlier sends to (receives from) the same peer have started:
// messages of one pair keep the schedule's order. Rounds are asked for as they are needed, a bounded number ahead.
#pragma once

#include <vector>

#include "collectives/schedule.hpp"
#include "collectives/stable_list.hpp"

namespace cohort {

struct Action {
  enum class Kind : std::uint8_t { send, receive, step };
  Kind kind = Kind::step;
  Rank peer = 0;      // send, receive
  Step step;          // step
  Segments segments;  // send, receive
  std::size_t round = 0;
  void* performer = nullptr;  // for whoever performs it
};

class Dataflow {
 public:
  static constexpr std::size_t default_window = 64;  // rounds

  // The schedule outlives the dataflow.
  explicit Dataflow(const Schedule& schedule, std::size_t window = default_window);
  Dataflow(const Dataflow&) = delete;
  Dataflow& operator=(const Dataflow&) = delete;

  // The next action that may start, or nullptr. The caller starts actions in the order in which they are returned;
  // each stays valid until completed() is called with it.
  Action* next();
  void completed(Action& action);
  // Of the receives that have started and not completed, the one that the schedule has first, or nullptr: what comes
  // for the others is of little use before.
  const Action* awaited() const;
  bool finished() const { return live_ == 0 && next_round_ == schedule_.rounds(); }

 private:
  struct Node;
  // What add() looks at in every node lies together, at the beginning.
  struct Links {
    Node* earlier = nullptr;
    Node* later = nullptr;
  };
  struct Node : Links, Action {
    int unmet = 0;          // actions to wait for, and one while it is being added
    bool started = false;   // next() has returned it
    Node* after = nullptr;  // in the list of those that may start, or of the free ones
    SmallVector<Node*, 4> on_complete;
    Node* on_start = nullptr;  // the next message of the same pair and direction
  };
  static constexpr std::size_t nodes_inside = 4;

  void refill();
  void add(Node& node);
  void add_messages(const std::vector<Message>& messages, Action::Kind kind, std::size_t round);
  Node& new_node(Action::Kind kind, std::size_t round);
  void release(Node& node);  // one thing less to wait for

  const Schedule& schedule_;
  const std::size_t window_;
  std::size_t next_round_ = 0;
  Round storage_;
  Node* oldest_ = nullptr;  // the actions that have yet to complete, in the schedule's order
  Node* newest_ = nullptr;
  std::size_t live_ = 0;
  Node* ready_ = nullptr;  // the first to start, and by Node::after the others
  Node* last_ready_ = nullptr;
  StableList<Node, nodes_inside> nodes_;  // all that were ever needed at once
  Node* free_ = nullptr;                  // of these, and by Node::after the others
};

}  // namespace cohort
