// SPDX-License-Identifier: Apache-2.0
// Decides which planned faults happen at one process, and when. Only the process's actions, its clock and the seed
// decide, so that the same run has the same faults. No I/O.
//
// A fault begins when its trigger fires, and lasts for its time. A link's fault is decided at the process that sends
// the frames.
#pragma once

#include <functional>
#include <map>
#include <random>
#include <vector>

#include "runtime/faults/planned_fault.hpp"
#include "runtime/transport/transport.hpp"

namespace cohort {

class Injection {
 public:
  // Strikes this process with a fault of a process. Called after everything else is reported.
  using Strike = std::function<void(const PlannedFault& fault)>;
  // Reports that a fault has happened for the first time at this process.
  using Tell = std::function<void(const InjectedFault& happened)>;

  Injection(Pid me, Strike strike, Tell tell);

  // Whether this process handles a fault. The agent handles those faults of processes that a time triggers.
  static bool concerns(const PlannedFault& fault, Pid me);

  // `seed`: the seed of the fault's plan.
  void add(const PlannedFault& fault, std::uint64_t seed, Nanoseconds now);

  // The process calls an operation.
  void called(Operation operation, Nanoseconds now);

  // The fate of a frame of this many bytes that the process sends now.
  static constexpr Nanoseconds never = PlannedFault::never;
  enum class Damage : std::uint8_t { none, header, payload };
  struct Fate {
    Nanoseconds due{0};    // when the frame may leave
    bool reset = false;    // the link breaks instead
    bool hidden = false;   // a black hole holds the frame until it is due
    bool refused = false;  // no connection can be made until the frame is due
    Damage damage = Damage::none;
    std::uint64_t bit = 0;  // the bit that flips, modulo the number of bits
  };
  Fate send(Pid to, std::size_t bytes, bool connected, Nanoseconds now);

  // resets(): the connected links that a fault with a time resets now. first_reset(): the first time of such a reset;
  // it is in the past if no connection has been made.
  std::vector<Pid> resets(const std::vector<bool>& connected, Nanoseconds now);
  Nanoseconds first_reset() const;

  // The faults that have happened so far.
  std::vector<InjectedFault> happened() const;

 private:
  struct Link {
    std::mt19937_64 random;
    Nanoseconds free_at{0};  // for throttle: when the link is free
  };
  struct Entry {
    PlannedFault fault;
    std::uint64_t seed = 0;
    Nanoseconds added{0};
    bool begun = false;
    bool spent = false;  // for faults that happen once
    Nanoseconds begun_at{0};
    Nanoseconds first_at{0};
    std::uint64_t times = 0;
    std::uint64_t count = 0;  // of calls, of bytes
    std::map<Pid, Link> links{};
  };

  bool concerns(const Entry& entry, Pid to) const;
  Link& link(Entry& entry, Pid to);
  bool drawn(Entry& entry, Pid to);
  bool counted(Entry& entry, std::uint64_t more);
  void begin(Entry& entry, Nanoseconds now);
  bool acts(Entry& entry, Pid to, std::size_t bytes, Nanoseconds now);
  void apply(Entry& entry, Pid to, std::size_t bytes, bool connected, Nanoseconds now, Fate& fate);
  static Nanoseconds reset_of(const Entry& entry);
  void happens(Entry& entry, Nanoseconds now);
  void strike(Entry& entry, Nanoseconds now);

  const Pid me_;
  const Strike strike_;
  const Tell tell_;
  std::vector<Entry> entries_;
};

}  // namespace cohort
