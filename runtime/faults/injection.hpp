// Which of the planned faults happen at one process, and when: decided by what the process does, by its clock and by
// the seed alone, so that the same run has the same faults. No I/O.
//
// A fault begins when its trigger fires, and lasts for its time. One of a link is decided where the frames are sent.
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
  // Does to this process what a fault of a process says. Called when all else is told.
  using Strike = std::function<void(const PlannedFault& fault)>;
  // A fault has happened for the first time at this process.
  using Tell = std::function<void(const InjectedFault& happened)>;

  Injection(Pid me, Strike strike, Tell tell);

  // Whether a fault is one for this process to see to. Of faults of processes, those that time triggers are the
  // agent's.
  static bool concerns(const PlannedFault& fault, Pid me);

  // `seed`: that of its plan.
  void add(const PlannedFault& fault, std::uint64_t seed, Nanoseconds now);

  // The process calls an operation.
  void called(Operation operation, Nanoseconds now);

  // What happens to a frame of so many bytes that the process sends now.
  static constexpr Nanoseconds never = PlannedFault::never;
  enum class Damage : std::uint8_t { none, header, payload };
  struct Fate {
    Nanoseconds due{0};    // when it may leave
    bool reset = false;    // the link breaks in its place
    bool hidden = false;   // in a black hole until then
    bool refused = false;  // no connection can be made until it is due
    Damage damage = Damage::none;
    std::uint64_t bit = 0;  // the one that flips, modulo their number
  };
  Fate send(Pid to, std::size_t bytes, bool connected, Nanoseconds now);

  // The links that time resets now, of those that are connected; and the first time at which it does, which is past
  // where no connection has been made.
  std::vector<Pid> resets(const std::vector<bool>& connected, Nanoseconds now);
  Nanoseconds first_reset() const;

  // What has happened so far.
  std::vector<InjectedFault> happened() const;

 private:
  struct Link {
    std::mt19937_64 random;
    Nanoseconds free_at{0};  // throttle
  };
  struct Entry {
    PlannedFault fault;
    std::uint64_t seed = 0;
    Nanoseconds added{0};
    bool begun = false;
    bool spent = false;  // of those that happen once
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
