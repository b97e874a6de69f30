// SPDX-License-Identifier: Apache-2.0
#include "launcher/remote/shell_failure.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <string_view>

namespace cohort {

namespace {

// Messages of OpenSSH for failures that would repeat, and the prefix of our agent's messages.
constexpr std::string_view final_words[] = {"Permission denied",
                                            "Host key verification failed",
                                            "REMOTE HOST IDENTIFICATION HAS CHANGED",
                                            "authentication failures",
                                            "No supported authentication",
                                            "Unable to negotiate",
                                            "Bad configuration option",
                                            "Bad owner or permissions",
                                            "usage: ssh",
                                            "command not found",
                                            "cohort agent: "};

constexpr int ssh_failed = 255;
constexpr int not_executable = 126;
constexpr int command_not_found = 127;

}  // namespace

ShellFailure shell_failure(int wait_status, const std::string& words) {
  const int status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : -1;
  const bool is_final =
      std::ranges::any_of(final_words, [&](std::string_view some) { return words.find(some) != std::string::npos; });
  if (is_final || status == not_executable || status == command_not_found) return ShellFailure::refused;
  return WIFSIGNALED(wait_status) || status == ssh_failed ? ShellFailure::dropped : ShellFailure::unknown;
}

}  // namespace cohort
