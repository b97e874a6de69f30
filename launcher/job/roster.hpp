// SPDX-License-Identifier: Apache-2.0
// The stage of each process of the job, and whether its end is a failure. No I/O: events in, decisions out.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cohort/types.hpp"

namespace cohort {

class Roster {
 public:
  enum class Stage : std::uint8_t { waiting, started, joining, joined, left, ended };

  explicit Roster(int ranks) : members_(static_cast<std::size_t>(ranks)), present_(ranks) {}

  int ranks() const { return static_cast<int>(members_.size()); }
  bool known(Pid pid) const { return pid >= 0 && pid < ranks(); }
  Stage stage(Pid pid) const { return member(pid).stage; }
  bool has_joined(Pid pid) const { return stage(pid) >= Stage::joined; }
  std::int64_t process(Pid pid) const { return member(pid).process; }

  void started(Pid pid, std::int64_t process);

  // A process that ended in order without having joined, with the cause: the processes that join would wait for it in
  // vain. joining() returns such a process, or nothing.
  struct Missing {
    Pid pid;
    std::string cause;
  };
  std::optional<Missing> joining(Pid pid);

  // Returns true once: when all processes have joined.
  bool joined(Pid pid);

  // Returns false for a process that has not joined, or has left before.
  bool left(Pid pid);
  // Whether all processes have left that are not lost.
  bool all_left() const { return left_ > 0 && left_ == present_; }
  bool anyone_left() const { return left_ > 0; }

  // Why the process's end is a failure, or nothing if the process ended in order.
  std::optional<std::string> ended(Pid pid, int wait_status);

  // Records that the process is lost. Returns false if it was lost before.
  bool lost(Pid pid);
  bool is_lost(Pid pid) const { return member(pid).lost; }
  int lost_count() const { return ranks() - present_; }

  bool all_ended() const { return ended_ == ranks(); }
  bool anyone_joining() const { return joining_ > 0; }
  bool all_joined() const { return joined_ == ranks(); }

  // The processes in these stages, in words: "ranks 0-3, 7" or "rank 5".
  std::string list(std::initializer_list<Stage> stages) const;

 private:
  struct Member {
    std::int64_t process = 0;
    Stage stage = Stage::waiting;
    bool lost = false;
    bool left = false;
  };
  const Member& member(Pid pid) const { return members_.at(static_cast<std::size_t>(pid)); }
  Member& member(Pid pid) { return members_.at(static_cast<std::size_t>(pid)); }

  std::vector<Member> members_;
  std::optional<Pid> silent_;  // the first process that ended in order without having joined
  int joining_ = 0;            // processes that have said hello
  int joined_ = 0;             // processes that have reported where they listen
  int left_ = 0;               // processes that have left and are not lost
  int present_ = 0;            // processes that are not lost
  int ended_ = 0;
};

}  // namespace cohort
