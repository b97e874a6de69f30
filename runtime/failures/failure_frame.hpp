// SPDX-License-Identifier: Apache-2.0
// The frame that tells the other members of a group that it has failed, and what the receiver makes of it.
#pragma once

#include "runtime/failures/fault.hpp"
#include "runtime/messages/frames.hpp"

namespace cohort {

// `only_we_know`: the receiver tells the other members. For a death only the pid is sent, because every process gets
// the record.
inline frames::GroupFailure frame_of(const GroupId& group, const Fault& fault, Pid me, bool only_we_know) {
  frames::GroupFailure frame{group, fault.code, fault.culprit < 0 ? me : fault.culprit};
  if (fault.failure) frame.dead = fault.failure->pid;
  frame.only_we_know = only_we_know;
  frame.cause = fault.cause;
  return frame;
}

inline ToldFailure told_by(Pid from, const frames::GroupFailure& frame, Pid processes) {
  const bool known = frame.culprit >= 0 && frame.culprit < processes;
  const Fault fault{frame.code, frame.cause, nullptr, known ? frame.culprit : from};
  return {from, frame.group, std::make_shared<const Fault>(fault), frame.dead, frame.only_we_know};
}

}  // namespace cohort
