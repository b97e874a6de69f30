// Why a remote shell has ended before its agent called back, and so whether to try again.
#pragma once

#include <cstdint>
#include <string>

namespace cohort {

enum class ShellFailure : std::uint8_t {
  dropped,  // the connection: a busy sshd, a jump host, a host that is about to come up
  refused,  // our credentials, or the host's; or the agent itself says what is wrong
  unknown   // the shell is not ssh: its status may mean anything
};

// Decides by the exit status and by what the shell wrote. ssh ends with status 255 for all its own failures: only its
// words tell them apart.
ShellFailure shell_failure(int wait_status, const std::string& words);

}  // namespace cohort
