// SPDX-License-Identifier: Apache-2.0
// Why a remote shell ended before its agent attached. This decides whether to try again.
#pragma once

#include <cstdint>
#include <string>

namespace cohort {

enum class ShellFailure : std::uint8_t {
  dropped,  // the connection was dropped: a busy sshd, a jump host, a host that is about to come up
  refused,  // our credentials or the host's were refused, or the agent itself reports an error
  unknown   // the shell is not ssh: its status may mean anything
};

// Decides by the exit status and the shell's output. ssh ends with status 255 for all its own failures, so only its
// messages distinguish them.
ShellFailure shell_failure(int wait_status, const std::string& words);

}  // namespace cohort
