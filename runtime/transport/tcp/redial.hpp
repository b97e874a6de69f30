// SPDX-License-Identifier: Apache-2.0
// The retries of one dial: attempts at growing intervals, with a bound. A machine: the ends of attempts and the time
// come in, pauses and the end of the dial come out.
//
// A peer is given up if it was not reached for as long as a link's end may be silent. The system of a process that is
// stopped, or computes, accepts the connection, and the process answers later. There is no bound for that here, because
// the launcher says who is dead. There is also none for an acceptor that says "duplicate": either its own dial goes on,
// or it has lost this process and told the launcher.
#pragma once

#include <optional>

#include "runtime/time_source.hpp"

namespace cohort {

class Redial {
 public:
  // Limits count attended time, in which this process has run. The length of an attempt is real time.
  struct Time {
    Nanoseconds real;
    Nanoseconds attended;
  };

  // `silence_limit` as in TcpLimits.
  Redial(Nanoseconds silence_limit, Time now);

  enum class Phase : std::uint8_t { connecting, greeting, pausing };
  Phase phase() const { return phase_; }

  void reached() { phase_ = Phase::greeting; }  // the other side's system has accepted

  // While connecting: whether this attempt must end now.
  bool too_late(Time now) const;

  // How an attempt ended: `refused` by the other side's system; `exhausted`: this system has no socket left.
  enum class Outcome : std::uint8_t { failed, refused, exhausted, duplicate };
  // Returns the pause before the next attempt; nothing if the peer is given up.
  std::optional<Nanoseconds> ended(Outcome outcome, Time now);
  void begin_again(Time now);

  // This process leaves: a peer that refuses has gone, and is not dialled again.
  void hurry() { hurried_ = true; }

  Nanoseconds lasted(Time now) const { return now.attended - start_; }

 private:
  bool spent(Outcome outcome, bool was_reached, Time now) const;

  const Nanoseconds patience_;
  const Nanoseconds start_;      // attended
  Nanoseconds unreached_since_;  // attended
  Nanoseconds attempt_start_;    // real
  Nanoseconds next_pause_;
  int attempts_ = 0;  // attempts that the other side broke off at once
  Phase phase_ = Phase::connecting;
  bool hurried_ = false;
};

}  // namespace cohort
