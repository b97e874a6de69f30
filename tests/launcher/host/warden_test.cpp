// SPDX-License-Identifier: Apache-2.0
// Real wardens, children of this process.
#include "launcher/host/warden.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <string>

#include "launcher/clock.hpp"

namespace cohort {
namespace {

using namespace std::chrono_literals;

pid_t only_child() {
  pid_t child = -1;
  std::ifstream("/proc/self/task/" + std::to_string(::getpid()) + "/children") >> child;
  return child;
}

void stop(pid_t process) {
  ::kill(process, SIGSTOP);
  siginfo_t how{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(process), &how, WSTOPPED | WNOWAIT), 0);
}

TEST(Warden, Case94OneThatIsStoppedKeepsNobody) {
  const auto begun = Clock::now();
  {
    Warden warden;
    stop(only_child());
  }
  EXPECT_LT(Clock::now() - begun, 10s);
  EXPECT_EQ(only_child(), -1);
}

TEST(Warden, Case94OneThatDoesNotReadIsWokenAndKeepsNobody) {
  Warden warden;
  const pid_t process = only_child();
  stop(process);
  for (int sign = 0; sign < 10'000; ++sign) warden.alive(1h);  // more than a pipe holds
  siginfo_t how{};
  EXPECT_EQ(::waitid(P_PID, static_cast<id_t>(process), &how, WCONTINUED | WNOWAIT), 0);
  warden.forget(1'000'000'000);  // reaches it, now that it reads
}

}  // namespace
}  // namespace cohort
