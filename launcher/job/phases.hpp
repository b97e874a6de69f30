// SPDX-License-Identifier: Apache-2.0
// The phase of a job, and the phases that may follow. No I/O: events in, decisions out.
//
//   connecting -> starting -> joining -> running -> draining -> done
//
// A job with processes may be ended early: it is `ending` until all processes have ended, then `draining`. A job that
// is still connecting has no processes, and is `done` at once.
#pragma once

#include <cstdint>
#include <optional>

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

  Phase now() const { return phase_; }
  bool has_processes() const { return phase_ > Phase::connecting && phase_ < Phase::done; }
  bool runs() const { return phase_ == Phase::running; }
  bool over() const { return phase_ >= Phase::draining; }

  // The first reason, if the job is ended early.
  const std::optional<EndedBy>& reason() const { return reason_; }
  bool early() const { return reason_.has_value(); }
  std::optional<Pid> culprit() const;  // the process whose mistake ends the job

  // Each moves from the first phase to the second. Returns false if the job is in another phase.
  bool start() { return move(Phase::connecting, Phase::starting); }
  bool join() { return move(Phase::starting, Phase::joining); }
  bool meet() { return move(Phase::joining, Phase::running); }

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
  bool move(Phase from, Phase to);

  Phase phase_ = Phase::connecting;
  std::optional<EndedBy> reason_;
  bool interrupted_ = false;
};

}  // namespace cohort
