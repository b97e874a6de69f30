// SPDX-License-Identifier: Apache-2.0
// The control frames, which the messenger carries unread: all that the runtime hears.
#pragma once

#include "runtime/failures/failure_frame.hpp"
#include "runtime/presence/presence_frames.hpp"

namespace cohort::frames {

// Whether a control frame with this header can be meant; if not, the link that brought it must fail. `can_exist` says
// whether a group can.
template <class CanExist>
bool is_valid_control(const FrameHeader& header, Pid processes, const CanExist& can_exist) {
  switch (header.kind) {
    case FrameKind::presence:
    case FrameKind::absence:
      return can_exist(header.group);
    case FrameKind::failure:
      return GroupFailure::valid(header, static_cast<std::size_t>(processes));
    case FrameKind::list:
      return true;  // of no group yet
    case FrameKind::message:
    case FrameKind::pull:
    case FrameKind::discard:
    case FrameKind::data:
    case FrameKind::credit:
    case FrameKind::note:
      return false;  // the messenger reads these
  }
  return false;
}

}  // namespace cohort::frames
