// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/tcp/bursts.hpp"

#include <algorithm>

#include "runtime/transport/tcp/link.hpp"

namespace cohort {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t small_message = 1024;  // sending more takes longer than the call itself
constexpr Nanoseconds closely = 10us;

}  // namespace

bool Bursts::hold_back(Link& link, const FrameHeader& header, std::span<const ConstPiece> payload, TimeSource time) {
  if (link.state != Link::State::open || link.awaits_write || !may_go_on(link.polls, header) || !goes_on(time()))
    return false;
  const bool first = !link.connection.holds_back();
  if (!link.connection.hold_back(header, payload)) return false;
  if (first) add(link);
  return true;
}

// `polls` belongs to the link: the number of polls at its last message.
bool Bursts::may_go_on(std::uint64_t& polls, const FrameHeader& header) {
  const bool whole = header.kind == FrameKind::message && header.payload == header.length;
  if (!begins_ || resting_ || !whole || header.payload > small_message) return false;
  return std::exchange(polls, polls_) == polls_;
}

bool Bursts::goes_on(Nanoseconds now) {
  writes_ = now - std::exchange(sent_, now) >= closely;
  return !writes_;
}

void Bursts::add(Link& link) {
  if (std::ranges::find(links_, &link) != links_.end()) return;
  if (links_.empty()) {
    since_ = sent_;
    if (begins_) begins_();
  }
  links_.push_back(&link);
}

}  // namespace cohort
