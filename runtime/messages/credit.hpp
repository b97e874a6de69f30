// SPDX-License-Identifier: Apache-2.0
// Flow control between this process and one other. Each gives the other a window of credit for messages that no receive
// has asked for. A message uses credit when it is sent. Its receiver returns the credit when the message has met its
// receive. So the memory for early messages is bounded.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "runtime/messages/frames.hpp"

namespace cohort {

class Credit {
 public:
  static constexpr std::uint64_t message_overhead = 128;  // what a held message costs besides its bytes

  // `window`: bytes, the same at both ends.
  explicit Credit(std::uint64_t window) : window_(window), left_(window) {}

  // The credit that a message has used.
  static std::uint64_t used(const frames::Message& message) {
    const bool only_announced = message.transfer != 0 && message.payload == 0;
    return only_announced ? 0 : message.payload + message_overhead;
  }

  // The sender's side. Uses credit for all of a message, if there is enough.
  bool use_for_all(std::uint64_t length) {
    if (!covers(length)) return false;
    left_ -= length + message_overhead;
    return true;
  }
  bool covers(std::uint64_t length) const { return length + message_overhead <= left_; }
  // Uses credit for the first part of a message, and returns the part's length: at most half of the credit that is
  // left, so that small messages behind a large one still find some.
  std::uint64_t use_for_part(std::uint64_t length) {
    if (left_ <= 4 * message_overhead) return 0;
    const std::uint64_t part = std::min(length, left_ / 2 - message_overhead);
    if (part > 0) left_ -= part + message_overhead;
    return part;
  }
  // The receiver has returned credit. Returns false if that is impossible: the window would be exceeded.
  bool regain(std::uint32_t bytes) {
    left_ += bytes;
    return left_ <= window_;
  }

  // The receiver's side. A message has arrived. Returns whether its sender had the credit for it.
  bool lend(const frames::Message& message) {
    lent_ += used(message);
    return lent_ <= window_;
  }
  // The message has met its receive, or was dropped.
  void owe(const frames::Message& message) { owed_ += used(message); }
  bool owes_half() const { return owed_ >= window_ / 2; }
  bool owes_most() const { return owed_ >= window_ / 4 * 3; }
  std::uint32_t owed() const { return static_cast<std::uint32_t>(owed_); }
  // Returns the credit to send back with the next frame.
  std::uint32_t settle() {
    lent_ -= owed_;
    return static_cast<std::uint32_t>(std::exchange(owed_, 0));
  }

 private:
  const std::uint64_t window_;
  std::uint64_t left_;      // may be sent unasked
  std::uint64_t lent_ = 0;  // used by the other process, and not returned
  std::uint64_t owed_ = 0;  // the part of it that goes back with the next frame
};

}  // namespace cohort
