// SPDX-License-Identifier: Apache-2.0
// The memory that the processes of a job share on one host, and a bell for each process: a descriptor that is readable
// after somebody has rung. The agent makes both, and hands them to its processes over their control links. They have no
// names, so nothing is left when the last process has ended.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "runtime/transport/shared/layout.hpp"

namespace cohort {

class HostMemory {
 public:
  // For the agent. Throws std::system_error if the system has no memory or descriptors for it.
  static std::shared_ptr<HostMemory> make(std::size_t processes);
  // For a process: takes the descriptors, whose order is that of descriptors(). Throws std::system_error if they are
  // not what make() has made for this many processes, or can't be mapped.
  static std::shared_ptr<HostMemory> adopt(std::vector<int> descriptors, std::size_t processes);
  static constexpr std::size_t most_processes = shared::most_processes;

  ~HostMemory();
  HostMemory(const HostMemory&) = delete;

  std::size_t processes() const { return layout_.processes(); }
  // The memory, then the bells by place.
  const std::vector<int>& descriptors() const { return descriptors_; }

  shared::Mailbox& mailbox(std::size_t place) const;
  std::byte* ring(std::size_t from, std::size_t to) const { return memory_ + layout_.ring_at(from, to); }
  std::size_t ring_size() const { return layout_.ring_size(); }
  // The system gives this ring its memory now. Otherwise a write could be a fatal signal, if there is none left.
  // Returns false if there is none.
  bool reserve_ring(std::size_t from, std::size_t to) const;

  int bell(std::size_t place) const { return descriptors_[place + 1]; }
  void ring_bell(std::size_t place) const;
  // Wakes the process if it sleeps.
  void wake(std::size_t place) const {
    std::atomic<std::uint32_t>& asleep = mailbox(place).asleep;
    std::uint32_t sleep = asleep.load();
    if (sleep % 2 == 0) return;
    ring_bell(place);
    asleep.compare_exchange_strong(sleep, sleep + 1);
  }
  // Tells the process that there is something to see that is no record of a ring.
  void notify(std::size_t place) const {
    mailbox(place).notices.fetch_add(1);
    wake(place);
  }
  // What the one has sent still counts for the other; it sends nothing more.
  void end_link(std::size_t from, std::size_t to, bool by_reset) const;

  // A process that sleeps executes a barrier for those that write to it (far_barrier.hpp), if the system lets it.
  // Called by the process at this place. join_barriers(): returns whether it executes the barriers of others, too.
  // execute_barrier(): returns false if the system refuses it from now on. Then records that others are writing without
  // a barrier are here before long, and the process must not sleep before that.
  bool join_barriers(std::size_t place) const;
  bool execute_barrier(std::size_t place) const;

  // For the agent: a process is dead. What it has sent still counts.
  void died(std::size_t place) const;

 private:
  HostMemory(std::vector<int> descriptors, std::size_t processes);

  const shared::Layout layout_;
  const std::vector<int> descriptors_;
  std::byte* memory_ = nullptr;
};

}  // namespace cohort
