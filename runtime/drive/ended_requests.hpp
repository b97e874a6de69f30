// SPDX-License-Identifier: Apache-2.0
// Finds the first to end of the requests that have ended and that no thread has completed yet. wait_any() uses it for
// the requests in its span.
//
// Each ended request is looked at once. It is looked at again if another span is asked for, or if a passed request has
// moved. So a program that completes its requests one after the other looks at as many as it has.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cohort::detail {

// One request's end. Under the runtime's mutex, except the atomic members.
struct RequestEnd {
  std::atomic<const void*> held_at = nullptr;  // the Request in the program's memory
  std::atomic<bool> passed = false;            // it was looked at, and lies outside of the span

  // For the list. `listed` is also read without the mutex: the request has ended.
  std::atomic<bool> listed = false;
  RequestEnd* earlier = nullptr;
  RequestEnd* later = nullptr;
};

class EndedRequests {
 public:
  void add(RequestEnd& end) {  // it ends now
    open_.append(end);
    end.listed.store(true, std::memory_order_release);
    count_end();
  }
  void remove(RequestEnd& end) {
    if (!end.listed.load(std::memory_order_relaxed)) return count_end();  // it was cancelled
    end.listed.store(false, std::memory_order_relaxed);
    const bool passed = end.passed.load(std::memory_order_relaxed);
    if (passed) end.passed.store(false, std::memory_order_relaxed);
    (passed ? passed_ : open_).remove(end);
  }

  // The first to end of the requests at addresses from `begin` to before `end`; nullptr if there is none.
  RequestEnd* first_in(const void* begin, const void* end);

  // A passed request has another address now. In any thread.
  void moved() { moved_.store(true, std::memory_order_release); }

  std::uint64_t looks() const { return looks_; }  // each at one request
  // How many have ended so far. Without the mutex.
  std::uint64_t ends() const { return ends_.load(std::memory_order_acquire); }

 private:
  struct List {
    RequestEnd* first = nullptr;
    RequestEnd* last = nullptr;

    void append(RequestEnd& end) {
      end.earlier = last;
      end.later = nullptr;
      (last != nullptr ? last->later : first) = &end;
      last = &end;
    }
    void remove(RequestEnd& end) {
      (end.earlier != nullptr ? end.earlier->later : first) = end.later;
      (end.later != nullptr ? end.later->earlier : last) = end.earlier;
    }
  };

  void begin_again();
  void count_end() { ends_.store(ends_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

  List open_;    // in the order in which they ended
  List passed_;  // those that ended earlier, outside of the span that was asked for last
  const void* begin_ = nullptr;
  const void* end_ = nullptr;
  std::atomic<bool> moved_ = false;
  std::uint64_t looks_ = 0;
  std::atomic<std::uint64_t> ends_ = 0;
};

}  // namespace cohort::detail
