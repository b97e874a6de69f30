// SPDX-License-Identifier: Apache-2.0
// A world around one host's part of a job that one seed decides on: a launcher that starts, signals, asks and finishes;
// processes that join, write, leave, hang, close their links and end, before or behind a shell that has started them;
// somebody who stops and kills them. What a process says is heard in its order; all else may come in any.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "launcher/host/local_host.hpp"

namespace cohort {

class HostWorld {
 public:
  explicit HostWorld(unsigned seed);

  // Until the host has finished, or there were more than enough events. What must not happen is a failure of the test.
  void run();

  // What the world has come to, and how often.
  const std::map<std::string, int>& seen() const { return seen_; }

 private:
  enum class Life : std::uint8_t { running, greeted, listening, playing, left };
  struct Stream {
    int unread = 0;  // bytes that were written
    bool open = true;
    bool held = false;    // by a process that nobody can kill
    bool paused = false;  // may not be read before it is resumed
  };
  struct Rank {
    Pid pid = 0;
    Life life = Life::running;
    bool below_shell = false;  // another process than the child has joined
    std::optional<int> member_end;
    std::optional<int> child_end;
    bool member_end_heard = false;
    bool child_end_heard = false;
    std::deque<process::v1::FromProcess> says;
    bool link_closed = false;  // by the process; heard behind what it has said
    bool link_end_heard = false;
    bool watched = false;
    bool has_memory = false;
    std::optional<Attended> stopped;
    int turns = 0;
    std::optional<Attended> seen_stopped;  // in these turns, by a look
    int seen_turns = 0;
    bool stall_told = false;
    std::array<Stream, 2> streams;
    std::optional<process::v1::Doing> stack_wanted;

    // As the launcher has heard.
    bool ended = false, joined = false, has_left = false, closed = false, bereft = false;
    std::uint32_t failures_told = 0;
    bool welcomed = false;
    int refused = 0;
  };

  bool chance(int in_hundred) { return static_cast<int>(random_() % 100) < in_hundred; }
  int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  Rank& rank(Pid pid) { return ranks_.at(static_cast<std::size_t>(pid - first_)); }
  void saw(const std::string& what) { ++seen_[what]; }

  void hear(HostEvent event);
  void tell(v1::ToHost message) { hear(host_event::Told{std::move(message)}); }
  void obey(host_command::Report&& command);
  void obey(host_command::Send&& command);
  void obey(host_command::Start&& command);
  void obey(host_command::GiveMemory&& command) { rank(command.pid).has_memory = true; }
  void obey(host_command::WatchMember&& command) { rank(command.pid).watched = rank(command.pid).below_shell; }
  void obey(host_command::Signal&& command);
  void obey(host_command::KillAll&& command);
  void obey(host_command::Forget&& command);
  void obey(host_command::Input&& /*command*/) {}
  void obey(host_command::ResumeOutput&& command);
  void obey(host_command::CloseOutput&& command);
  void obey(host_command::Look&& command);
  void obey(host_command::LookWhoIsStopped&& command);
  void obey(host_command::LookWhoHasEnded&& command);
  void obey(host_command::LookForOtherMpi&& command);
  void obey(host_command::ReadStack&& command);
  void obey(host_command::BeMeasured&& /*command*/) {}
  void obey(host_command::Measure&& /*command*/) {}
  void obey(host_command::Examine&& /*command*/) {}

  void reported_of(Rank& rank, const v1::FromHost& message);
  void launcher_acts();
  void signal(Rank& rank, int number);
  void end_child(Rank& rank, int wait_status);
  void live(Rank& rank);
  void go_wrong(Rank& rank);
  void read_link(Rank& rank, bool all);
  void hear_ends(Rank& rank);
  void read_stream(Rank& rank);
  void step();
  void check() const;

  std::mt19937 random_;
  const Pid first_;
  LocalHost host_;
  Attended now_{0};
  std::deque<HostEvent> events_;  // the first is being heard
  std::vector<Rank> ranks_;
  int count_;
  double stall_limit_s_;

  Attended last_look_{0};
  bool by_the_launcher_ = false;  // what is done now
  bool finish_told_ = false, finished_ = false, suspended_ = false, table_told_ = false;
  std::uint64_t on_the_way_ = 0;  // bytes of output
  std::uint32_t failures_ = 0, questions_ = 0, answered_ = 0;
  int suspensions_ = 0, suspensions_heard_ = 0;
  std::map<std::string, int> seen_;
};

}  // namespace cohort
