// SPDX-License-Identifier: Apache-2.0
// Faults of processes as a machine: plans drawn from seeds, with processes that end meanwhile.
#include "launcher/host/process_faults.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <random>
#include <string>

namespace cohort {
namespace {

using std::chrono::milliseconds;

struct Process {
  bool runs = true;
  bool stopped = false;
  int kills = 0;
  std::map<std::uint32_t, int> begun;  // by the fault's number
};

class FaultWorld {
 public:
  explicit FaultWorld(unsigned seed) : random_(seed), processes_(3) {
    for (std::uint32_t number = 0; number < 4; ++number) {
      PlannedFault& fault = plan_.faults.emplace_back();
      fault.number = number;
      fault.kind = static_cast<FaultKind>(pick(4));  // one of them is a link's
      fault.rank = pick(4);                          // one of them is elsewhere
      fault.trigger = pick(2) == 0 ? FaultTrigger::time : FaultTrigger::chance;
      fault.at_s = 0.01 * pick(200);
      fault.for_s = 0.01 * (1 + pick(100));
      fault.amount = 0.5;
    }
  }

  void run() {
    faults_.add(
        plan_, [this](Pid pid) { return pid < 3 && processes_[static_cast<std::size_t>(pid)].runs; }, now_);
    for (int i = 0; i < 2000; ++i) step();
    while (const auto deadline = faults_.deadline()) pass(deadline->at - now_);
    for (const Process& process : processes_) EXPECT_FALSE(process.runs && process.stopped) << "nobody wakes it";
    for (const PlannedFault& fault : plan_.faults) {
      if (!fault.of_process() || fault.rank >= 3 || fault.trigger != FaultTrigger::time) continue;
      Process& process = processes_[static_cast<std::size_t>(fault.rank)];
      const int begun = process.begun[fault.number];
      EXPECT_TRUE(begun == 1 || (begun == 0 && !process.runs)) << "fault " << fault.number;
    }
  }

 private:
  int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

  void step() {
    if (pick(50) == 0) return act(faults_.begun_by_itself(static_cast<std::uint32_t>(pick(4)), now_));
    if (pick(2000) == 0) end(pick(3));
    pass(milliseconds(pick(5)));
  }

  void pass(Attended time) {
    now_ += time;
    act(faults_.due(now_));
    const auto next = faults_.deadline();
    EXPECT_FALSE(next && next->passed(now_));
  }

  void end(Pid pid) {
    processes_[static_cast<std::size_t>(pid)].runs = false;
    faults_.ended(pid);
  }

  void act(const ProcessFaults::Actions& actions) {
    for (const auto& action : actions) {
      const auto* const signal = std::get_if<ProcessFaults::Signal>(&action);
      const Pid pid = signal != nullptr ? signal->pid : std::get<ProcessFaults::Happened>(action).pid;
      Process& process = processes_.at(static_cast<std::size_t>(pid));
      EXPECT_TRUE(process.runs) << "something is done to a process that has ended";
      if (signal == nullptr) {
        ++process.begun[std::get<ProcessFaults::Happened>(action).fault.number];
      } else if (signal->number != SIGKILL) {
        process.stopped = signal->number == SIGSTOP;
      } else {
        ++process.kills;
      }
    }
    for (Pid pid = 0; pid < 3; ++pid) {
      if (processes_[static_cast<std::size_t>(pid)].kills > 0 && pick(3) == 0) end(pid);
    }
  }

  std::mt19937 random_;
  std::vector<Process> processes_;
  FaultPlan plan_;
  ProcessFaults faults_;
  Attended now_{0};
};

TEST(ProcessFaults, EachHappensOnceAndWakesWhomItStops) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    FaultWorld(seed).run();
    if (testing::Test::HasFailure()) return;
  }
}

TEST(ProcessFaults, AProcessThatStopsItselfLateIsWokenAllTheSame) {
  PlannedFault fault;
  fault.kind = FaultKind::stop;
  fault.rank = 0;
  fault.trigger = FaultTrigger::call;
  fault.for_s = 0.1;
  ProcessFaults faults;
  faults.add(
      {.seed = 0, .faults = {fault}}, [](Pid) { return true; }, Attended{0});
  EXPECT_TRUE(faults.begun_by_itself(0, Attended{0}).empty());
  Attended last_wake{0};
  while (const auto deadline = faults.deadline()) {
    if (!faults.due(deadline->at).empty()) last_wake = deadline->at;
  }
  EXPECT_GT(last_wake, milliseconds(1000));
}

TEST(ProcessFaults, ASlowProcessRunsForItsShare) {
  PlannedFault fault;
  fault.kind = FaultKind::slow;
  fault.rank = 0;
  fault.for_s = 1;
  fault.amount = 0.25;
  ProcessFaults faults;
  Attended now{0}, ran{0};
  faults.add(
      {.seed = 0, .faults = {fault}}, [](Pid) { return true; }, now);
  bool stopped = false;
  while (const auto deadline = faults.deadline()) {
    if (now < milliseconds(1000) && !stopped) ran += deadline->at - now;
    now = deadline->at;
    for (const auto& action : faults.due(now)) {
      if (const auto* const signal = std::get_if<ProcessFaults::Signal>(&action)) stopped = signal->number == SIGSTOP;
    }
  }
  EXPECT_FALSE(stopped);
  EXPECT_NEAR(std::chrono::duration<double>(ran).count(), 0.25, 0.03);
}

}  // namespace
}  // namespace cohort
