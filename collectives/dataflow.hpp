// SPDX-License-Identifier: Apache-2.0
// Plays one rank's schedule by its data: returns the actions that may start now. The engine performs the actions over a
// transport; the verifier and a simulator play them.
//
// An action may start when two conditions hold. First, it conflicts with no earlier incomplete action of this rank. Two
// actions conflict if they touch the same elements and one of the two writes. Second, the earlier sends to (receives
// from) the same peer have started, so messages of one pair keep the schedule's order. Rounds are made when they are
// needed, a bounded number ahead.
#pragma once

#include <span>
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
  void* performer = nullptr;  // for the performer's own use
};

class Dataflow {
 public:
  static constexpr std::size_t default_window = 64;  // rounds

  // A place between two actions: of a round, its sends come first, then its receives, then its steps.
  struct Place {
    std::size_t round = 0;
    std::size_t action = 0;
  };

  // `schedule` must outlive this object. The actions before `begin` are complete.
  explicit Dataflow(const Schedule& schedule, std::size_t window = default_window, Place begin = {0, 0});
  Dataflow(const Dataflow&) = delete;
  Dataflow& operator=(const Dataflow&) = delete;

  // The next action that may start, or nullptr. The caller starts actions in the order in which they are returned;
  // each stays valid until completed() is called with it.
  Action* next();
  void completed(Action& action);
  // The schedule's first receive that has started and not completed, or nullptr. Its message is the most urgent: later
  // messages are of little use before it.
  const Action* awaited() const;
  bool finished() const { return reaches_.empty() && next_round_ == schedule_.rounds(); }

 private:
  struct Node;
  struct Node : Action {
    Node* earlier = nullptr;  // of the incomplete ones, in the schedule's order
    Node* later = nullptr;
    std::uint64_t number = 0;     // as they were added
    std::size_t reach_index = 0;  // of its entry in reaches_
    int unmet = 0;                // actions to wait for; plus one while the node is being added
    bool started = false;         // next() has returned it
    Node* after = nullptr;        // the next in the list of actions that may start, or of free nodes
    SmallVector<Node*, 4> on_complete;
    Node* on_start = nullptr;  // the next message of the same pair and direction
  };
  // What add() looks at in every incomplete action, side by side: the actions themselves are far apart.
  struct Reach {
    std::uint64_t touches = 0;  // a bit for each stretch of elements; two actions that share none do not conflict
    std::uint64_t writes = 0;
    std::int64_t channel = no_channel;  // the peer and the direction of a message
    Node* node = nullptr;
  };
  static constexpr std::int64_t no_channel = -1;
  static constexpr std::size_t nodes_inside = 4;

  void refill();
  std::uint64_t stretches(const Segment& segment) const;
  Reach reach_of(Node& node) const;
  void add(Node& node);
  void add_messages(std::span<const Message> messages, Action::Kind kind, std::size_t round);
  Node& new_node(Action::Kind kind, std::size_t round);
  void release(Node& node);  // the node waits for one action less

  const Schedule& schedule_;
  const std::size_t window_;
  const int stretch_;  // log2 of its elements
  std::size_t next_round_;
  std::size_t complete_;  // of the next round's actions
  Round storage_;
  Node* oldest_ = nullptr;  // the incomplete actions, in the schedule's order
  Node* newest_ = nullptr;
  SmallVector<Reach, nodes_inside> reaches_;  // of the incomplete actions, in no order
  std::uint64_t added_ = 0;
  Node* ready_ = nullptr;  // the first action that may start; the others follow by Node::after
  Node* last_ready_ = nullptr;
  StableList<Node, nodes_inside> nodes_;  // as many as were ever needed at once
  Node* free_ = nullptr;                  // the first free node; the others follow by Node::after
};

}  // namespace cohort
