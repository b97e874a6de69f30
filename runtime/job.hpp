// What a process knows of its job once it has joined.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "collectives/tuning.hpp"
#include "runtime/faults/planned_fault.hpp"
#include "runtime/recorded_receives.hpp"
#include "runtime/transport/endpoints.hpp"

namespace cohort {

struct Job : Endpoints {
  int cores = 1;                           // of this host, or what the container's quota leaves of them
  bool crowded = false;                    // more processes of the job than cores share them
  bool barrier = true;                     // collectives imply a barrier
  bool develop = false;                    // the checks that cost something
  bool synchronous = false;                // in develop mode: a send ends when its receive has been called
  bool goes_on = false;                    // without processes that it loses
  std::uint64_t credit = 0;                // bytes that each may send each other unasked; 0: as many as suit the job
  bool progress_thread = false;            // a thread drives what was started while the program computes
  bool record = false;                     // in develop mode: tell whom each receive_any took its message from
  std::optional<Sources> replay;           // in develop mode: let each take the same
  std::chrono::nanoseconds patience{0};    // a longer wait is told to the launcher; 0: none
  std::chrono::nanoseconds host_limit{0};  // who does not answer for so long is given up; 0: nobody is
  Tuning tuning;
  FaultPlan faults;  // to be injected

  // A process that does not answer for so long is suspected: the rest of the limit is for noticing, and for the
  // launcher to judge. 0: never.
  std::chrono::nanoseconds silence_limit() const { return host_limit * 4 / 5; }
};

}  // namespace cohort
