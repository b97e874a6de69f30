// A fault that a user has asked for: what is to go wrong, with whom, and when. Data; runtime/faults/injection.hpp
// decides by it, and docs/manual/faults.md says what the words mean.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "cohort/types.hpp"

namespace cohort {

enum class FaultKind : std::uint8_t {
  // of a process
  kill,
  stop,
  slow,
  // of what one process sends to another
  delay,
  throttle,
  reset,
  black_hole,
  corrupt,
  refuse,
  last_kind = refuse,
};

enum class FaultTrigger : std::uint8_t {
  time,    // so long after the job has come together
  call,    // at the n-th call of an operation
  byte,    // with the n-th byte that is sent
  chance,  // at random: with each call (of a process), with each frame (of a link)
  last_trigger = chance,
};

inline std::chrono::nanoseconds to_nanoseconds(double seconds) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
}

struct PlannedFault {
  std::uint32_t number = 0;  // in the job
  FaultKind kind = FaultKind::kill;
  Pid rank = -1;  // of a process
  Pid from = -1;  // of a link; -1: every process
  Pid to = -1;
  FaultTrigger trigger = FaultTrigger::time;
  double at_s = 0;
  std::uint64_t nth = 0;               // call, byte: from 1
  std::optional<Operation> operation;  // call: of this one only
  double rate = 0;                     // chance: from 0 to 1
  double for_s = 0;                    // 0: for ever
  double amount = 0;                   // delay: seconds; throttle: bytes a second; slow: the share of time that it runs
  bool payload = false;                // corrupt: the payload, not the header

  bool of_process() const { return kind <= FaultKind::slow; }

  static constexpr std::chrono::nanoseconds never = std::chrono::nanoseconds::max();
  // So many seconds after a time; never where no clock gets that far.
  static std::chrono::nanoseconds later(std::chrono::nanoseconds time, double seconds) {
    const std::chrono::duration<double> left = never - time;
    return seconds < left.count() ? time + to_nanoseconds(seconds) : never;
  }
  // When it ends that begins then.
  std::chrono::nanoseconds end(std::chrono::nanoseconds begin) const { return for_s > 0 ? later(begin, for_s) : never; }
};

// What is known of it at one process.
struct InjectedFault {
  std::uint32_t number = 0;
  std::uint64_t times = 0;
  double first_s = 0;  // after the job has come together, or after it was asked for
};

struct FaultPlan {
  std::uint64_t seed = 0;
  std::vector<PlannedFault> faults;
};

}  // namespace cohort
