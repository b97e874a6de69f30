// SPDX-License-Identifier: Apache-2.0
// The frame that tells the other members of a group that it has failed, and what the receiver makes of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "cohort/error.hpp"
#include "runtime/failures/fault.hpp"
#include "runtime/transport/frame.hpp"

namespace cohort {
namespace frames {

// The group has failed at the sender.
struct GroupFailure {
  GroupId group;
  ErrorCode code = ErrorCode::internal;
  Pid culprit = -1;           // whose mistake it is; -1: the sender does not say
  std::optional<Pid> dead{};  // the dead process, if a death is the cause
  bool only_we_know = false;  // among the members: the receiver tells the others
  std::string cause{};        // in words

  static GroupFailure of(const FrameHeader& header, std::string words = {}) {
    GroupFailure failure{header.group, static_cast<ErrorCode>(header.tag), static_cast<Pid>(header.offset)};
    if (header.transfer != 0) failure.dead = static_cast<Pid>(header.transfer - 1);
    failure.only_we_know = header.length != 0;
    failure.cause = std::move(words);
    return failure;
  }
  FrameHeader header() const {
    return {.group = group,
            .tag = static_cast<std::uint64_t>(code),
            .length = only_we_know ? std::uint64_t{1} : 0,
            .offset = static_cast<std::uint32_t>(culprit),
            .transfer = dead ? static_cast<std::uint32_t>(*dead) + 1 : 0,
            .kind = FrameKind::failure};
  }
  static bool valid(const FrameHeader& header, std::size_t processes) {
    return header.tag <= static_cast<std::uint64_t>(ErrorCode::internal) && header.transfer <= processes;
  }
};

}  // namespace frames

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
