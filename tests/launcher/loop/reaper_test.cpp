// SPDX-License-Identifier: Apache-2.0
#include "launcher/loop/reaper.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <asio/io_context.hpp>
#include <chrono>

namespace cohort {
namespace {

// A child that has ended, and waits to be reaped.
pid_t ended_child(int exit_status) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(exit_status);
  siginfo_t how{};
  EXPECT_EQ(::waitid(P_PID, static_cast<id_t>(child), &how, WEXITED | WNOWAIT), 0);
  return child;
}

// Whoever asks for deaths is told of all of them, though the loop has not run since.
TEST(Reaper, FindsWhoHasEndedWithoutTheLoop) {
  asio::io_context loop;
  Reaper reaper(loop);
  int status = -1;
  const pid_t child = ended_child(3);
  reaper.watch(child, [&](int wait_status) { status = wait_status; });
  reaper.reap();
  EXPECT_EQ(WEXITSTATUS(status), 3);
  status = -1;
  loop.poll();
  EXPECT_EQ(status, -1) << "told twice";
}

TEST(Reaper, HearsOfDeathsFromTheLoop) {
  asio::io_context loop;
  Reaper reaper(loop);
  int status = -1;
  reaper.watch(ended_child(7), [&](int wait_status) {
    status = wait_status;
    loop.stop();
  });
  loop.run_for(std::chrono::seconds(10));
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

}  // namespace
}  // namespace cohort
