// SPDX-License-Identifier: Apache-2.0
// A whole job as a machine: orders of events drawn from seeds, and the few that are worth naming.
#include "launcher/job/running_job.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/launcher/job/job_world.hpp"

namespace cohort {
namespace {

using std::chrono::seconds;

TEST(RunningJob, EndsWhateverHappensInWhateverOrder) {
  std::map<std::string, int> seen;  // that the seeds come to what they are for
  for (unsigned seed = 0; seed < 4000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    JobWorld world(seed);
    world.run();
    if (testing::Test::HasFailure()) return;
    EXPECT_TRUE(world.status() == 0 || !world.peaceful());
    const JobRecord record = world.job().record();
    EXPECT_TRUE(world.status() != 0 || !record.ended_by);
    ++seen[record.ended_by ? "ended for reason " + std::to_string(record.ended_by->index()) : "ended by itself"];
    if (record.culprit_end) ++seen["a culprit's status"];
    if (!record.ended_by && record.first_loss != 0) ++seen["went on without some"];
    if (!record.ended_by && record.first_own_end != 0) ++seen["went on without one that ended itself"];
    if (world.stops() > 0) ++seen["the launcher stopped"];
  }
  for (const auto& [what, times] : seen) std::cout << what << ": " << times << "\n";
  constexpr std::size_t reasons = std::variant_size_v<EndedBy>;
  EXPECT_EQ(seen.size(), reasons + 5);
}

class OneJob : public testing::Test {
 protected:
  // Two ranks on a host that is not this one.
  static JobPlan plan() {
    JobPlan plan;
    plan.ranks = 2;
    plan.hosts = {{"far", false, 0, 2}};
    plan.timeout_s = 60;
    plan.join_timeout_s = 10;
    return plan;
  }

  const Commands& hear(Event event) { return last_ = job_.on(std::move(event), {now_, Clock::time_point(now_), {}}); }
  template <class Set>
  const Commands& hear_of(Set set) {
    v1::FromHost message;
    set(message);
    return hear(event::FromHost{0, std::move(message)});
  }
  const Commands& time_passes(Attended time) {
    now_ += time;
    return hear(event::TimeUp{});
  }

  void begin() { hear(event::Begin{}); }
  void attach() {
    hear_of([](v1::FromHost& message) { message.mutable_attached(); });
  }
  void come_up(Pid pid) {
    hear_of([&](v1::FromHost& message) { message.mutable_started()->set_pid(pid); });
    hear_of([&](v1::FromHost& message) { message.mutable_joining()->set_pid(pid); });
    hear_of([&](v1::FromHost& message) { message.mutable_listens()->set_pid(pid); });
  }
  void end(Pid pid, int wait_status) {
    hear_of([&](v1::FromHost& message) {
      message.mutable_ended()->set_pid(pid);
      message.mutable_ended()->set_wait_status(wait_status);
    });
  }

  std::vector<int> signals() const {
    std::vector<int> numbers;
    for (const Command& command : last_) {
      const auto* const tell = std::get_if<command::Tell>(&command);
      if (tell != nullptr && tell->message->has_signal()) numbers.push_back(tell->message->signal().number());
    }
    return numbers;
  }
  template <class Wanted>
  bool wants() const {
    return std::ranges::any_of(last_, [](const Command& one) { return std::holds_alternative<Wanted>(one); });
  }
  int status() const { return exit_status(job_.record()); }

  RunningJob job_{plan(), JobOrigin{}};
  Attended now_{0};
  Commands last_;
};

TEST_F(OneJob, EndsInOrder) {
  begin();
  attach();
  for (const Pid pid : {0, 1}) come_up(pid);
  for (const Pid pid : {0, 1}) {
    hear_of([&](v1::FromHost& message) { message.mutable_left()->set_pid(pid); });
    end(pid, 0);
  }
  EXPECT_TRUE(wants<command::Tell>());  // to finish
  hear_of([](v1::FromHost& message) { message.mutable_finished(); });
  EXPECT_TRUE(wants<command::DrainOutput>());
  hear(event::OutputDrained{});
  EXPECT_TRUE(wants<command::Close>());
  EXPECT_EQ(status(), 0);
  EXPECT_TRUE(job_.last_words().empty());
  EXPECT_TRUE(hear(event::Signal{SIGINT}).empty());
}

TEST_F(OneJob, IsOverAtOnceIfItsTimeIsUpWhileItConnects) {
  begin();
  time_passes(seconds(60));
  EXPECT_TRUE(wants<command::Close>());
  EXPECT_EQ(status(), 124);
}

TEST_F(OneJob, SaysWhoHasNotJoinedWhenTimeIsUp) {
  begin();
  attach();
  come_up(0);
  time_passes(seconds(10));
  EXPECT_NE(job_.last_words().front().find("rank 1"), std::string::npos);
  EXPECT_EQ(status(), 1);
  time_passes(seconds(1));
  EXPECT_EQ(signals(), (std::vector{SIGTERM, SIGCONT}));
  time_passes(seconds(2));
  EXPECT_EQ(signals(), std::vector{SIGKILL});
  EXPECT_FALSE(wants<command::Close>());
  time_passes(seconds(10));  // its processes could not be killed
  EXPECT_TRUE(wants<command::DrainOutput>());
}

TEST_F(OneJob, IsInterruptedOnceAndKilledTheSecondTime) {
  begin();
  attach();
  for (const Pid pid : {0, 1}) come_up(pid);
  hear(event::Signal{SIGINT});
  EXPECT_EQ(signals(), (std::vector{SIGINT, SIGCONT}));
  hear(event::Signal{SIGTERM});
  EXPECT_EQ(signals(), std::vector{SIGKILL});
  for (const Pid pid : {0, 1}) end(pid, SIGKILL);
  EXPECT_EQ(status(), 130);
}

TEST_F(OneJob, AsksBeforeItsTimeoutIsTold) {
  begin();
  attach();
  for (const Pid pid : {0, 1}) come_up(pid);
  time_passes(seconds(60));
  EXPECT_TRUE(job_.last_words().empty());
  time_passes(seconds(1));  // nobody answers
  ASSERT_FALSE(job_.last_words().empty());
  EXPECT_NE(job_.last_words().front().find("does not answer"), std::string::npos);
  EXPECT_EQ(signals(), (std::vector{SIGTERM, SIGCONT}));
  EXPECT_EQ(status(), 124);
}

TEST_F(OneJob, LosesAllWithItsOnlyHost) {
  begin();
  attach();
  for (const Pid pid : {0, 1}) come_up(pid);
  hear(event::HostLost{0, "gone"});
  EXPECT_TRUE(wants<command::DrainOutput>());
  EXPECT_FALSE(wants<command::Tell>());
  hear(event::OutputDrained{});
  EXPECT_EQ(status(), 1);
  EXPECT_NE(job_.last_words().front().find("rank 0 (host far, process 0) was lost with its host: gone, rank 1"),
            std::string::npos);
}

}  // namespace
}  // namespace cohort
