// SPDX-License-Identifier: Apache-2.0
// In run mode, the group's members compare their collective calls only where one of them waits in vain. All members
// make the same calls in the same order, so two calls that differ are a mistake of the program
// (docs/decisions/calls_that_differ.md).
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "runtime/failures/fault.hpp"
#include "runtime/transport/frame.hpp"

namespace cohort::detail {

// The parts of a call that members compare.
struct MadeCall {
  CallKind kind;
  std::uint64_t bytes = 0;  // of the vector, or of all blocks; 0: unknown, or members may differ in it

  bool differs(const MadeCall& other) const {
    return kind != other.kind || (bytes != 0 && other.bytes != 0 && bytes != other.bytes);
  }
};

// Counts the calls that this member has made in a group, and keeps the last 64 of them.
class CallComparison {
 public:
  // Returns the call's number, from 1: it is the same at every member.
  std::uint64_t made(const MadeCall& call) {
    latest_[++count_ % latest_.size()] = call;
    return count_;
  }
  std::uint64_t count() const { return count_; }

  const MadeCall* find(std::uint64_t number) const;  // null: not made yet, or made too long ago

  // Whether another member's call of this number differs from this member's; false if this member's is not known.
  bool differs(std::uint64_t number, const MadeCall& theirs) const;

  // The fault that says how they differ. `they` and `we` name the two members.
  FaultPointer difference(std::uint64_t number, const MadeCall& theirs, const std::string& they,
                          const std::string& we) const;

 private:
  std::uint64_t count_ = 0;
  std::array<MadeCall, 64> latest_{};  // by number, modulo
};

}  // namespace cohort::detail
