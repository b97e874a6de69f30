// SPDX-License-Identifier: Apache-2.0
// A world around a running job that one seed decides on: hosts that attach, start processes, tell of them and are lost;
// processes that join, wait for one another, leave, fail, hang and ignore signals; a user who presses Ctrl-C. What is
// said at one host is heard in its order; all else may come in any.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "launcher/job/running_job.hpp"

namespace cohort {

class JobWorld {
 public:
  explicit JobWorld(unsigned seed);

  // Until the job is over, or has had more than enough events. What must not happen is a failure of the test.
  void run();

  bool closed() const { return closed_; }
  int stops() const { return stops_; }
  bool peaceful() const { return peaceful_; }  // nothing has gone wrong in it
  int status() const;
  const RunningJob& job() const { return *job_; }

 private:
  enum class Life : std::uint8_t { unborn, running, greeted, listening, playing, left, ended };
  struct Rank {
    Life life = Life::unborn;
    std::optional<Life> hangs_at;  // it never gets further by itself
    bool ignores_term = false;
    bool told_table = false;
    bool told_all_left = false;
    bool has_left = false;           // the job has heard so
    bool lost = false;               // the job has said so
    std::optional<Pid> waits_for{};  // in a call, while it plays
    std::uint64_t entries = 0;       // into calls, and returns from them
  };
  struct HostSide {
    HostPlan plan;
    std::deque<v1::FromHost> says;
    bool attached = false;
    bool started = false;
    bool lost = false;
    bool stuck = false;  // its processes can't be killed
    bool told_table = false;
    bool told_to_end = false;  // by a signal
    bool told_to_finish = false;
    std::uint32_t failures_told = 0;
  };

  bool chance(int in_hundred) { return static_cast<int>(random_() % 100) < in_hundred; }
  int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  HostSide& host_of(Pid pid);
  v1::FromHost& say(Pid pid) { return host_of(pid).says.emplace_back(); }

  void hear(Event event);
  void obey(const Command& command);
  void obey_host(int number, const v1::ToHost& message);
  void start(HostSide& host);
  void signal(HostSide& host, int number);
  void end(Pid pid, int wait_status);
  void step();
  void live(Pid pid);
  void play(Pid pid);
  process::v1::Doing doing_of(Pid pid) const;
  bool waits_for_ever(Pid pid) const;
  void check_deadlock(const std::string& who) const;
  void go_wrong(Pid pid);
  void disturb();
  bool host_speaks();
  void check_failure(HostSide& host, const process::v1::Failure& failure);
  void check_all_left() const;
  void check_end() const;

  std::mt19937 random_;
  const bool peaceful_;
  int disturbances_;  // that are still to come: a second Ctrl-C is not to hide that the first one did nothing
  std::unique_ptr<RunningJob> job_;
  Attended now_{0};
  std::vector<HostSide> hosts_;
  std::vector<Rank> ranks_;
  bool suspended_ = false;   // by Ctrl-Z, at least once
  int stops_ = 0;            // of the launcher
  std::deque<Event> later_;  // of the launcher's own: output that is written, and such
  std::uint64_t asked_ = 0;
  std::set<std::uint64_t> unanswered_;
  bool closed_ = false;
};

}  // namespace cohort
