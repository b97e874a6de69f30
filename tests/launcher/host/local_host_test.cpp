// SPDX-License-Identifier: Apache-2.0
// One host's part of a job as a machine: orders of events drawn from seeds, and the few that are worth naming.
#include "launcher/host/local_host.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/launcher/host/host_world.hpp"

namespace cohort {
namespace {

using std::chrono::milliseconds;

TEST(LocalHost, FinishesWhateverHappensInWhateverOrder) {
  std::map<std::string, int> seen;  // that the seeds come to what they are for
  for (unsigned seed = 0; seed < 4000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    HostWorld world(seed);
    world.run();
    if (testing::Test::HasFailure()) return;
    for (const auto& [what, times] : world.seen()) seen[what] += times;
  }
  for (const auto& [what, times] : seen) std::cout << what << ": " << times << "\n";
  EXPECT_EQ(seen.size(), 15U);
}

class OneHost : public testing::Test {
 protected:
  const HostCommands& hear(HostEvent event) { return last_ = host_.on(std::move(event), now_); }
  template <class Set>
  const HostCommands& tell(Set set) {
    v1::ToHost message;
    set(message);
    return hear(host_event::Told{std::move(message)});
  }
  template <class Set>
  const HostCommands& say(Pid pid, Set set) {
    process::v1::FromProcess message;
    set(message);
    return hear(host_event::Said{pid, std::move(message)});
  }
  const HostCommands& greet(Pid pid) {
    return say(pid, [](auto& message) { message.mutable_hello()->set_version(COHORT_VERSION); });
  }
  const HostCommands& finish() {
    return tell([](v1::ToHost& message) { message.mutable_finish(); });
  }

  // Of two ranks.
  void start() {
    tell([](v1::ToHost& message) {
      message.mutable_start()->set_count(2);
      message.mutable_start()->set_ranks(2);
      message.mutable_start()->set_stall_limit(2);
    });
    for (const Pid pid : {0, 1}) hear(host_event::Started{pid, 100 + pid});
  }
  void end(Pid pid) {
    hear(host_event::Ended{pid, 0, false});
    for (int stream = 0; stream < 2; ++stream) hear(host_event::StreamEnded{pid});
  }

  template <class Wanted>
  const Wanted* wanted() const {
    for (const HostCommand& command : last_) {
      if (const auto* const one = std::get_if<Wanted>(&command)) return one;
    }
    return nullptr;
  }
  std::vector<v1::FromHost> reports() const {
    std::vector<v1::FromHost> reports;
    for (const HostCommand& command : last_) {
      if (const auto* const one = std::get_if<host_command::Report>(&command)) reports.push_back(one->message);
    }
    return reports;
  }
  bool finished() const { return !reports().empty() && reports().back().has_finished(); }

  LocalHost host_{{.number = 0, .name = "here", .listen_at = {"127.0.0.1", {}}, .cores = 2}};
  Attended now_{0};
  HostCommands last_;
};

TEST_F(OneHost, FinishesInOrder) {
  start();
  for (const Pid pid : {0, 1}) {
    greet(pid);
    say(pid, [](auto& message) { message.mutable_leave(); });
    EXPECT_TRUE(reports().front().has_left());
    end(pid);
  }
  finish();
  EXPECT_TRUE(wanted<host_command::KillAll>());
  EXPECT_TRUE(wanted<host_command::Forget>());
  EXPECT_TRUE(finished());
}

TEST_F(OneHost, WaitsForWhatHoldsTheOutputOpenUntilItIsQuiet) {
  start();
  end(0);
  hear(host_event::Ended{1, SIGKILL, false});
  finish();
  EXPECT_FALSE(finished());
  hear(host_event::Wrote{1, false, "late\n"});
  now_ += milliseconds(500);
  hear(host_event::TimeUp{});
  EXPECT_FALSE(wanted<host_command::CloseOutput>());  // the launcher still writes
  tell([](v1::ToHost& message) { message.mutable_output_taken()->set_bytes(5); });
  for (int i = 0; i < 2; ++i) {
    now_ += milliseconds(500);
    hear(host_event::TimeUp{});
  }
  EXPECT_TRUE(wanted<host_command::CloseOutput>());
  hear(host_event::StreamEnded{1});
  EXPECT_FALSE(finished());
  hear(host_event::StreamEnded{1});
  EXPECT_TRUE(finished());
}

TEST_F(OneHost, TellsOfALinkThatClosesBeforeItsProcessLeaves) {
  start();
  greet(0);
  hear(host_event::LinkClosed{0});
  ASSERT_EQ(reports().size(), 1U);
  EXPECT_FALSE(reports().front().closes().ended());
  greet(1);
  say(1, [](auto& message) { message.mutable_leave(); });
  EXPECT_TRUE(hear(host_event::LinkClosed{1}).empty());
}

TEST_F(OneHost, TellsHowAMemberHasEndedBelowItsShell) {
  start();
  greet(0);
  hear(host_event::MemberEnded{0, SIGSEGV, false});
  ASSERT_EQ(reports().size(), 1U);
  EXPECT_TRUE(reports().front().closes().ended());
  EXPECT_EQ(reports().front().closes().wait_status(), SIGSEGV);
  EXPECT_TRUE(hear(host_event::LinkClosed{0}).empty());
}

TEST_F(OneHost, RefusesASecondProcessInTheSamePlace) {
  start();
  greet(0);
  greet(0);
  ASSERT_EQ(reports().size(), 1U);
  EXPECT_EQ(reports().front().refuses().reason(), "a second process tried to join the job in its place");
}

TEST_F(OneHost, TellsOfAStallOnceAndOfOneThatIsTooLong) {
  start();
  std::vector<double> told;
  for (int look = 0; look < 6; ++look) {
    now_ += milliseconds(500);
    hear(host_event::TimeUp{});
    ASSERT_TRUE(wanted<host_command::Look>());
    hear(host_event::Looked{{{0, true, "7"}, {1, false, ""}}});
    for (const v1::FromHost& report : reports()) {
      if (report.has_stalled()) told.push_back(report.stalled().too_long() ? -1 : report.stalled().seconds());
    }
  }
  EXPECT_EQ(told, (std::vector<double>{1, -1, -1}));  // after 1 s, 2 s and 2.5 s
}

// Not with the next look of every 500 ms, which would come as late again.
TEST_F(OneHost, LooksWhenAStallHasLastedTooLong) {
  start();
  const milliseconds late(3);  // what a look takes
  Attended first{0}, told{0};
  while (told == Attended{0} && now_ < milliseconds(5000)) {
    now_ = host_.deadline()->at;
    hear(host_event::TimeUp{});
    if (first == Attended{0}) first = now_ += late;
    hear(host_event::Looked{{{0, true, "7"}, {1, false, ""}}});
    for (const v1::FromHost& report : reports()) {
      if (report.stalled().too_long()) told = now_;
    }
  }
  EXPECT_EQ(told - first, milliseconds(2000));
}

TEST_F(OneHost, ReadsNoMoreOutputThanTheLauncherWrites) {
  start();
  EXPECT_TRUE(host_.takes_output());
  hear(host_event::Wrote{0, false, std::string(1u << 20, 'x')});
  EXPECT_FALSE(host_.takes_output());
  tell([](v1::ToHost& message) { message.mutable_output_taken()->set_bytes(1); });
  EXPECT_TRUE(wanted<host_command::ResumeOutput>());
  EXPECT_TRUE(host_.takes_output());
}

}  // namespace
}  // namespace cohort
