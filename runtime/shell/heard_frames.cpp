// SPDX-License-Identifier: Apache-2.0
// Gives each control frame to the machine, or the mode, that it is for.
#include "runtime/heard_frames.hpp"

#include <utility>

#include "runtime/runtime.hpp"

namespace cohort::detail {

void Runtime::hear(Pid from, frames::Control&& frame) {
  switch (frame.header.kind) {
    case FrameKind::presence:
      return hear(from, frames::AskPresence::of(frame.header));
    case FrameKind::absence:
      return hear(from, frames::Absence::of(frame.header));
    case FrameKind::failure:
      return hear(from, frames::GroupFailure::of(frame.header, std::move(frame.words)));
    case FrameKind::list:
      return mode_->told_of_list(from, frame.header.group, std::move(frame.words));
    default:
      return;  // never: is_valid_control() lets no other kind pass
  }
}

}  // namespace cohort::detail
