// SPDX-License-Identifier: Apache-2.0
// The phase of a job, and the phases that may follow. No I/O: events in, decisions out.
//
//   connecting -> starting -> joining -> running -> draining -> done
//
// A job with processes may be ended early: it is `ending` until all processes have ended, then `draining`. A job that
// is still connecting has no processes, and is `done` at once. The reason belongs to the phases that have one.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "launcher/job/exit_status.hpp"

namespace cohort {

class Phases {
 public:
  enum class Phase : std::uint8_t {
    connecting,  // to the other hosts
    starting,    // the hosts have been told to start the processes
    joining,     // a process has begun to join
    running,     // all processes know where the others listen
    ending,      // the job is ended early
    draining,    // all processes have ended: the hosts finish, and the rest of the output is written
    done,
  };

  Phase now() const { return static_cast<Phase>(state_.index()); }
  bool has_processes() const { return now() > Phase::connecting && now() < Phase::done; }
  bool runs() const { return now() == Phase::running; }
  bool over() const { return now() >= Phase::draining; }

  // The first reason, if the job is ended early.
  std::optional<EndedBy> reason() const;
  bool early() const { return reason().has_value(); }
  std::optional<Pid> culprit() const;  // the process whose mistake ends the job

  // Each moves from the first phase to the second. Returns false if the job is in another phase.
  bool start() { return move<Connecting, Starting>(); }
  bool join() { return move<Starting, Joining>(); }
  bool meet() { return move<Joining, Running>(); }

  // Ends the job early. Returns false if there was another reason before: the first one counts.
  bool end(EndedBy reason);

  // All processes have ended. Returns true once.
  bool drain();

  // Returns true once.
  bool finish();

  // The launcher got this signal, which asks it to end the job.
  enum class Interruption : std::uint8_t {
    ends,   // the job begins to end, for this reason
    waits,  // the job ends already; the signal changes nothing
    kills,  // a repeated request, or one after a loss: all processes that run are killed at once
  };
  Interruption interrupted(int signal, bool has_lost_processes);

 private:
  struct Early {
    EndedBy reason;
    bool interrupted = false;  // by a signal, at least once
  };
  struct Connecting {};
  struct Starting {};
  struct Joining {};
  struct Running {};
  struct Ending {
    Early early;
  };
  struct Draining {
    std::optional<Early> early;
  };
  struct Done {
    std::optional<Early> early;
  };

  const Early* early_part() const;
  Early* early_part() { return const_cast<Early*>(std::as_const(*this).early_part()); }

  template <class From, class To>
  bool move() {
    if (!std::holds_alternative<From>(state_)) return false;
    state_ = To{};
    return true;
  }

  std::variant<Connecting, Starting, Joining, Running, Ending, Draining, Done> state_;  // in the order of Phase
};

}  // namespace cohort
