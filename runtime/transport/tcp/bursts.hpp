// Which frames are held back, to leave together.
//
// A process that sends one small message after another, and waits for nothing in between, would pay a system call for
// each, and so would its peers' kernels and processes. All but the first to each peer are held back while they follow
// each other closely. They leave when the process finds nothing else to do; when there is no room for more; after a
// while. As it may go and compute instead, somebody else has to see to that.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "runtime/transport/transport.hpp"

namespace cohort {

struct Link;

class Bursts {
 public:
  // From now on frames may be held back, for so many links: `begins` is called when some are, and they are to leave
  // before long.
  void allow(std::function<void()> begins, std::size_t links) {
    begins_ = std::move(begins);
    links_.reserve(links);
    leaving_.reserve(links);
  }

  // poll() has found something to do, or nothing (idle): who drives the transport may go to sleep then.
  void polled(bool busy) {
    resting_ = !busy;
    ++polls_;
  }

  // Whether a frame that is to be sent may be held back. `polls` is the link's: the number of polls at its last
  // message. If so, goes_on() says whether it is: whether it follows the last one closely enough.
  bool may_go_on(std::uint64_t& polls, const FrameHeader& header);
  bool goes_on(Nanoseconds now);

  // A frame that did not follow closely is being written: the time at which that ends is wanted.
  bool times_write() const { return writes_; }
  void wrote(Nanoseconds now) {
    writes_ = false;
    sent_ = now;
  }

  // Something is held back for the link, and was not before.
  void add(Link& link);

  bool any() const { return !links_.empty(); }  // is held back

  // What is held back is to leave: as goes_on() has just found, or since it is so late.
  bool late() const { return late(sent_); }
  bool late(Nanoseconds now) const { return now - since_ >= patience; }
  const std::vector<Link*>& take() {
    leaving_.clear();
    std::swap(links_, leaving_);
    return leaving_;
  }

 private:
  static constexpr Nanoseconds patience{50'000};  // so that peers have something to do meanwhile

  std::function<void()> begins_;
  bool resting_ = false;
  std::uint64_t polls_ = 1;
  Nanoseconds sent_{0};   // when the last message was, of those that were not the first to their peer after a poll
  bool writes_ = false;   // it did not follow closely, and is written
  Nanoseconds since_{0};  // when the first of links_ came
  std::vector<Link*> links_;
  std::vector<Link*> leaving_;
};

}  // namespace cohort
