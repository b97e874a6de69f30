// SPDX-License-Identifier: Apache-2.0
#include "runtime/drive/ended_requests.hpp"

#include <functional>

namespace cohort::detail {

RequestEnd* EndedRequests::first_in(const void* begin, const void* end) {
  if (begin != begin_ || end != end_ || moved_.load(std::memory_order_acquire)) {
    begin_ = begin;
    end_ = end;
    begin_again();
  }
  while (RequestEnd* const ended = open_.first) {
    ++looks_;
    const void* const place = ended->held_at.load(std::memory_order_relaxed);
    if (!std::less<>()(place, begin) && std::less<>()(place, end)) return ended;
    open_.remove(*ended);
    ended->passed.store(true, std::memory_order_relaxed);
    passed_.append(*ended);
  }
  return nullptr;
}

// All passed requests ended before the open ones.
void EndedRequests::begin_again() {
  moved_.store(false, std::memory_order_relaxed);
  for (RequestEnd* ended = passed_.first; ended != nullptr; ended = ended->later)
    ended->passed.store(false, std::memory_order_relaxed);
  if (passed_.last == nullptr) return;
  passed_.last->later = open_.first;
  (open_.first != nullptr ? open_.first->earlier : open_.last) = passed_.last;
  open_.first = passed_.first;
  passed_ = {};
}

}  // namespace cohort::detail
