// SPDX-License-Identifier: Apache-2.0
#include "launcher/remote/shell_failure.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>

namespace cohort {
namespace {

int exited(int status) { return W_EXITCODE(status, 0); }

TEST(ShellFailure, Case84WhatMayGoBetterNextTime) {
  for (const char* words :
       {"", "kex_exchange_identification: Connection closed by remote host", "Connection closed by 10.0.0.1 port 22",
        "Connection reset by 10.0.0.1 port 22", "ssh: connect to host a port 22: Connection refused",
        "client_loop: send disconnect: Broken pipe"}) {
    EXPECT_EQ(shell_failure(exited(255), words), ShellFailure::dropped) << words;
  }
  EXPECT_EQ(shell_failure(W_EXITCODE(0, SIGKILL), ""), ShellFailure::dropped);
}

TEST(ShellFailure, Case73WhatWillNot) {
  for (const char* words :
       {"a@b: Permission denied (publickey,password).", "Host key verification failed.",
        "Received disconnect from 10.0.0.1 port 22:2: Too many authentication failures",
        "Unable to negotiate with 10.0.0.1 port 22: no matching host key type found. Their offer: ssh-dss"}) {
    EXPECT_EQ(shell_failure(exited(255), words), ShellFailure::refused) << words;
  }
}

TEST(ShellFailure, Case44WhatIsMissingThere) {
  EXPECT_EQ(shell_failure(exited(127), "sh: 1: cohort: not found"), ShellFailure::refused);
  EXPECT_EQ(shell_failure(exited(126), "sh: 1: cohort: Permission"), ShellFailure::refused);
  EXPECT_EQ(shell_failure(exited(1), "cohort agent: cannot reach the launcher"), ShellFailure::refused);
}

TEST(ShellFailure, AnotherCommandMayMeanAnything) {
  EXPECT_EQ(shell_failure(exited(1), ""), ShellFailure::unknown);
  EXPECT_EQ(shell_failure(exited(0), "done"), ShellFailure::unknown);
}

}  // namespace
}  // namespace cohort
