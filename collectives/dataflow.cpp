// SPDX-License-Identifier: Apache-2.0
#include "collectives/dataflow.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace cohort {

namespace {

// Most conflicts are about scratch memory, and a third of the bits is for each buffer.
constexpr std::uint64_t stretches_of_scratch = 21;

// Whether one of the two steps writes elements that the other touches.
bool conflict(const Step& a, const Step& b) {
  return overlap(a.target, b.target) || overlap(a.target, b.source) || overlap(a.source, b.target);
}

bool conflict(const Action& message, const Step& step) {
  return overlap(message.segments, step.target) ||
         (message.kind == Action::Kind::receive && overlap(message.segments, step.source));
}

bool conflict(const Action& a, const Action& b) {
  if (a.kind == Action::Kind::step)
    return b.kind == Action::Kind::step ? conflict(a.step, b.step) : conflict(b, a.step);
  if (b.kind == Action::Kind::step) return conflict(a, b.step);
  if (a.kind == Action::Kind::send && b.kind == Action::Kind::send) return false;
  return std::ranges::any_of(b.segments, [&a](const Segment& segment) { return overlap(a.segments, segment); });
}

}  // namespace

Dataflow::Dataflow(const Schedule& schedule, std::size_t window, Place begin)
    : schedule_(schedule),
      window_(std::min(window, schedule.most_in_progress())),
      stretch_(std::bit_width(static_cast<std::uint64_t>(schedule.scratch()) / stretches_of_scratch)),
      next_round_(begin.round),
      complete_(begin.action) {
  refill();
}

Dataflow::Node& Dataflow::new_node(Action::Kind kind, std::size_t round) {
  const bool used_before = free_ != nullptr;
  Node& node = used_before ? *std::exchange(free_, free_->after) : nodes_.emplace_back();
  if (used_before) node = Node{};
  node.kind = kind;
  node.round = round;
  return node;
}

// The buffers share the bits, and so do stretches far from one another: the bits only save most of the comparisons.
std::uint64_t Dataflow::stretches(const Segment& segment) const {
  if (segment.count == 0) return 0;
  const auto first = static_cast<std::uint64_t>(segment.offset) >> stretch_;
  const auto last = static_cast<std::uint64_t>(segment.end() - 1) >> stretch_;
  if (last - first >= 63) return ~std::uint64_t{0};
  const std::uint64_t bits = (std::uint64_t{2} << (last - first)) - 1;
  return std::rotl(bits,
                   static_cast<int>((first + stretches_of_scratch * static_cast<std::uint64_t>(segment.buffer)) % 64));
}

Dataflow::Reach Dataflow::reach_of(Node& node) const {
  Reach reach{.node = &node};
  if (node.kind == Action::Kind::step) {
    reach.writes = stretches(node.step.target);
    reach.touches = reach.writes | stretches(node.step.source);
    return reach;
  }
  for (const Segment& segment : node.segments) reach.touches |= stretches(segment);
  if (node.kind == Action::Kind::receive) reach.writes = reach.touches;
  reach.channel = std::int64_t{node.peer} * 2 + (node.kind == Action::Kind::send ? 1 : 0);
  return reach;
}

void Dataflow::add(Node& node) {
  node.unmet = 1;
  node.number = added_++;
  const Reach reach = reach_of(node);
  Node* same_pair = nullptr;
  for (const Reach& earlier : reaches_) {
    const bool may_conflict = ((earlier.writes & reach.touches) | (earlier.touches & reach.writes)) != 0;
    if (may_conflict && conflict(*earlier.node, node)) {
      earlier.node->on_complete.push_back(&node);
      ++node.unmet;
    }
    if (earlier.channel == reach.channel && reach.channel != no_channel && !earlier.node->started &&
        (same_pair == nullptr || same_pair->number < earlier.node->number)) {
      same_pair = earlier.node;
    }
  }
  if (same_pair != nullptr) {
    same_pair->on_start = &node;
    ++node.unmet;
  }
  node.reach_index = reaches_.size();
  reaches_.push_back(reach);
  node.earlier = newest_;
  (newest_ != nullptr ? newest_->later : oldest_) = &node;
  newest_ = &node;
  release(node);
}

void Dataflow::release(Node& node) {
  if (--node.unmet > 0) return;
  (ready_ != nullptr ? last_ready_->after : ready_) = &node;
  last_ready_ = &node;
}

void Dataflow::add_messages(std::span<const Message> messages, Action::Kind kind, std::size_t round) {
  for (const Message& message : messages) {
    Node& node = new_node(kind, round);
    node.peer = message.peer;
    node.segments = message.segments;
    add(node);
  }
}

void Dataflow::refill() {
  const auto left_of = [this](const auto& actions) {
    const std::size_t complete = std::min(complete_, actions.size());
    complete_ -= complete;
    return std::span(actions).subspan(complete);
  };
  while (next_round_ < schedule_.rounds() && (reaches_.empty() || next_round_ < oldest_->round + window_)) {
    const Round& round = schedule_.round(next_round_, storage_);
    if (round.fenced() && !reaches_.empty()) return;
    add_messages(left_of(round.sends()), Action::Kind::send, next_round_);
    add_messages(left_of(round.receives()), Action::Kind::receive, next_round_);
    for (const Step& step : left_of(round.steps())) {
      Node& node = new_node(Action::Kind::step, next_round_);
      node.step = step;
      add(node);
    }
    ++next_round_;
  }
}

Action* Dataflow::next() {
  if (ready_ == nullptr) return nullptr;
  Node& node = *std::exchange(ready_, ready_->after);
  node.started = true;
  if (node.on_start != nullptr) release(*node.on_start);
  return &node;
}

const Action* Dataflow::awaited() const {
  const Node* node = oldest_;
  while (node != nullptr && !(node->started && node->kind == Action::Kind::receive)) node = node->later;
  return node;
}

void Dataflow::completed(Action& action) {
  Node& node = static_cast<Node&>(action);
  for (Node* waiting : node.on_complete) release(*waiting);
  (node.earlier != nullptr ? node.earlier->later : oldest_) = node.later;
  (node.later != nullptr ? node.later->earlier : newest_) = node.earlier;
  reaches_[node.reach_index] = reaches_.back();
  reaches_[node.reach_index].node->reach_index = node.reach_index;
  reaches_.pop_back();
  node.after = std::exchange(free_, &node);
  refill();
}

}  // namespace cohort
