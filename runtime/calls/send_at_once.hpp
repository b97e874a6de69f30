// SPDX-License-Identifier: Apache-2.0
// For interfaces whose requests can end without an operation of the runtime.
#pragma once

#include "cohort/detail/call.hpp"

namespace cohort::detail {

// Sends a message if it can leave within the call. Returns whether it has left; if not, start() sends it. Throws as
// start() does.
bool send_at_once(const Shared<GroupState>& group, const Letter& letter);

}  // namespace cohort::detail
