// SPDX-License-Identifier: Apache-2.0
// A fault that a user has asked for: its kind, its processes and its time. Data only; runtime/faults/injection.hpp
// decides by it, and docs/reference/fault_file.md explains the words.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "cohort/types.hpp"

namespace cohort {

enum class FaultKind : std::uint8_t {
  // faults of a process
  kill,
  stop,
  slow,
  // faults of a link: of the frames from one process to another
  delay,
  throttle,
  reset,
  black_hole,
  corrupt,
  refuse,
  last_kind = refuse,
};

enum class FaultTrigger : std::uint8_t {
  time,    // this long after the job has come together
  call,    // at the n-th call of an operation
  byte,    // with the n-th sent byte
  chance,  // at random: at each call (of a process), at each frame (of a link)
  last_trigger = chance,
};

inline std::chrono::nanoseconds to_nanoseconds(double seconds) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
}

struct PlannedFault {
  std::uint32_t number = 0;  // of the fault, in the job
  FaultKind kind = FaultKind::kill;
  Pid rank = -1;  // of a process
  Pid from = -1;  // of a link; -1: every process
  Pid to = -1;
  FaultTrigger trigger = FaultTrigger::time;
  double at_s = 0;
  std::uint64_t nth = 0;               // call, byte: from 1
  std::optional<Operation> operation;  // call: only calls of this operation
  double rate = 0;                     // chance: from 0 to 1
  double for_s = 0;                    // 0: for ever
  double amount = 0;                   // delay: seconds; throttle: bytes a second; slow: the share of time that it runs
  bool payload = false;                // corrupt: damages the payload, not the header

  bool of_process() const { return kind <= FaultKind::slow; }

  static constexpr std::chrono::nanoseconds never = std::chrono::nanoseconds::max();
  // The time plus so many seconds; `never` if the clock can't express it.
  static std::chrono::nanoseconds later(std::chrono::nanoseconds time, double seconds) {
    const std::chrono::duration<double> left = never - time;
    return seconds < left.count() ? time + to_nanoseconds(seconds) : never;
  }
  // The end of a fault that begins at this time.
  std::chrono::nanoseconds end(std::chrono::nanoseconds begin) const { return for_s > 0 ? later(begin, for_s) : never; }
};

// The report of one process about a fault.
struct InjectedFault {
  std::uint32_t number = 0;
  std::uint64_t times = 0;
  double first_s = 0;  // since the job came together, or since the fault was asked for
};

struct FaultPlan {
  std::uint64_t seed = 0;
  std::vector<PlannedFault> faults;
};

}  // namespace cohort
