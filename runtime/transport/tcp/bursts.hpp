// SPDX-License-Identifier: Apache-2.0
// Decides which frames are held back, to leave together.
//
// A process that sends one small message after another, without waiting in between, would pay a system call for each,
// and so would its peers' kernels and processes. So all but the first to each peer are held back while they follow each
// other closely. They leave when the process finds nothing else to do, when there is no room for more, or after a
// while. The process may compute instead, so another thread must flush them.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "runtime/time_source.hpp"
#include "runtime/transport/transport.hpp"

namespace cohort {

struct Link;

class Bursts {
 public:
  // From now on frames may be held back, for this many links. `begins` is called when the first is: then a flush must
  // follow before long.
  void allow(std::function<void()> begins, std::size_t links) {
    begins_ = std::move(begins);
    links_.reserve(links);
    leaving_.reserve(links);
  }

  // poll() has found something to do, or nothing (idle): then the driving thread may go to sleep.
  void polled(bool busy) {
    resting_ = !busy;
    ++polls_;
  }

  // Holds a frame back, if it may be: it must follow the last one closely enough. Otherwise it is to be written.
  bool hold_back(Link& link, const FrameHeader& header, std::span<const ConstPiece> payload, TimeSource time);

  // A frame that did not follow closely is being written: wrote() is to be told the time at which the write ends.
  bool times_write() const { return writes_; }
  void wrote(Nanoseconds now) {
    writes_ = false;
    sent_ = now;
  }

  // The link holds something back.
  void add(Link& link);

  bool any() const { return !links_.empty(); }  // whether frames are held back

  // Whether frames that are held back must leave: at the time that hold_back() has seen, or at this time.
  bool late() const { return late(sent_); }
  bool late(Nanoseconds now) const { return now - since_ >= patience; }
  const std::vector<Link*>& take() {
    leaving_.clear();
    std::swap(links_, leaving_);
    return leaving_;
  }

 private:
  bool may_go_on(std::uint64_t& polls, const FrameHeader& header);
  bool goes_on(Nanoseconds now);

  static constexpr Nanoseconds patience{50'000};  // short, so that peers have something to do meanwhile

  std::function<void()> begins_;
  bool resting_ = false;
  std::uint64_t polls_ = 1;
  Nanoseconds sent_{0};   // the time of the last message that was not the first to its peer after a poll
  bool writes_ = false;   // that message did not follow closely, and is being written
  Nanoseconds since_{0};  // when the first of links_ was added
  std::vector<Link*> links_;
  std::vector<Link*> leaving_;
};

}  // namespace cohort
