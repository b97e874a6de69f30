// Why a remote shell has ended before its agent called back: whether another try may go better.
#pragma once

#include <cstdint>
#include <string>

namespace cohort {

enum class ShellFailure : std::uint8_t {
  dropped,  // the connection: a busy sshd, a jump host, a host that is about to come up
  refused,  // who we are, or whom we have found there; or the agent has come so far as to say what it lacks
  unknown   // another command than ssh may mean anything
};

// By how it ended, and what it wrote. Of ssh's own failures all have status 255; only its words tell them apart.
ShellFailure shell_failure(int wait_status, const std::string& words);

}  // namespace cohort
