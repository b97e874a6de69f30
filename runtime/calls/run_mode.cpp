// SPDX-License-Identifier: Apache-2.0
#include "runtime/calls/run_mode.hpp"

#include "runtime/calls/pending_collective.hpp"
#include "runtime/calls/pending_messages.hpp"
#include "runtime/shared_pointers.hpp"

namespace cohort::detail {

using namespace std::chrono_literals;

// The longest tick bounds the error of the time when the program was last in the library.
RunMode::RunMode() : Mode({.look_interval = 250ms, .longest_tick = 1s}) {}

std::shared_ptr<Pending> RunMode::collective(const std::shared_ptr<GroupState>& group, const PlannedCall& call) {
  return make_own<PendingCollective>(group, call);
}

std::shared_ptr<Pending> RunMode::messages(const std::shared_ptr<GroupState>& group, const Letter* out,
                                           const Letter* in) {
  return make_own<PendingMessages>(group, out, in);
}

}  // namespace cohort::detail
