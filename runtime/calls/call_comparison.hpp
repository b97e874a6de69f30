// Run mode compares the collective calls of a group's members where one of them waits in vain: all make the same calls
// in the same order, so two that differ are a mistake of the program (docs/decisions/0026-calls-that-differ.md).
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "runtime/failures/fault.hpp"
#include "runtime/transport/frame.hpp"

namespace cohort::detail {

// A call, as far as members compare it.
struct MadeCall {
  CallKind kind;
  std::uint64_t bytes = 0;  // of the vector, or of all blocks; 0: members may differ in it, or it is not known

  bool differs(const MadeCall& other) const {
    return kind != other.kind || (bytes != 0 && other.bytes != 0 && bytes != other.bytes);
  }
};

// The calls that this member has made in a group, the last few with what they were.
class CallComparison {
 public:
  // The call's number, from 1: the same at every member.
  std::uint64_t made(const MadeCall& call) {
    latest_[++count_ % latest_.size()] = call;
    return count_;
  }
  std::uint64_t count() const { return count_; }

  const MadeCall* find(std::uint64_t number) const;  // null: not yet made, or too long ago

  // Whether another member has made another call of this number, as far as this one's is known.
  bool differs(std::uint64_t number, const MadeCall& theirs) const;

  // Says how. `they` and `we` name the two members.
  FaultPointer difference(std::uint64_t number, const MadeCall& theirs, const std::string& they,
                          const std::string& we) const;

 private:
  std::uint64_t count_ = 0;
  std::array<MadeCall, 64> latest_{};  // by number, modulo
};

}  // namespace cohort::detail
