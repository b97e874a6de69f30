// Which of the requests that have ended, and that nobody has completed yet, was the first to end? wait_any() asks this
// of the requests in its span.
//
// Each one that has ended is looked at once, and once more where another span is asked for, or where one that was
// passed has moved: a program that completes one after the other looks at as many as it has.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cohort::detail {

// One request's end. Under the runtime's mutex, but for the atomic parts.
struct RequestEnd {
  std::atomic<const void*> held_at = nullptr;  // the Request in the program's memory
  std::atomic<bool> passed = false;            // it was looked at, and held outside of the span

  // The list's.
  bool listed = false;
  RequestEnd* earlier = nullptr;
  RequestEnd* later = nullptr;
};

class EndedRequests {
 public:
  void add(RequestEnd& end) {  // now
    end.listed = true;
    open_.append(end);
  }
  void remove(RequestEnd& end) {
    if (!end.listed) return;
    end.listed = false;
    const bool passed = end.passed.load(std::memory_order_relaxed);
    if (passed) end.passed.store(false, std::memory_order_relaxed);
    (passed ? passed_ : open_).remove(end);
  }

  // The first to end of those that are held from `begin` to before `end`; nullptr if there is none.
  RequestEnd* first_in(const void* begin, const void* end);

  // One that was passed is held somewhere else now. In any thread.
  void moved() { moved_.store(true, std::memory_order_release); }

  std::uint64_t looks() const { return looks_; }  // at one end

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

  List open_;    // in the order in which they ended
  List passed_;  // those before, which are held outside of the span that was asked for last
  const void* begin_ = nullptr;
  const void* end_ = nullptr;
  std::atomic<bool> moved_ = false;
  std::uint64_t looks_ = 0;
};

}  // namespace cohort::detail
