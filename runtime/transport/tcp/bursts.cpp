#include "runtime/transport/tcp/bursts.hpp"

#include "runtime/drive/own_core.hpp"

namespace cohort {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t small_message = 1024;  // more takes longer than the call
constexpr Nanoseconds closely = 10us;

}  // namespace

bool Bursts::go_on(std::uint64_t& polls, const FrameHeader& header) {
  const bool whole = header.kind == FrameKind::message && header.payload == header.length;
  if (!begins_ || resting_ || !whole || header.payload > small_message) return false;
  if (std::exchange(polls, polls_) != polls_) return false;
  const Nanoseconds now = steady_now();
  writes_ = now - std::exchange(sent_, now) >= closely;
  return !writes_;
}

void Bursts::wrote() {
  if (std::exchange(writes_, false)) sent_ = steady_now();
}

void Bursts::add(Link& link) {
  if (links_.empty()) {
    since_ = sent_;
    begins_();
  }
  links_.push_back(&link);
}

bool Bursts::due(bool idle) const { return !links_.empty() && (idle || steady_now() - since_ >= patience); }

}  // namespace cohort
