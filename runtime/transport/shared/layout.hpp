// SPDX-License-Identifier: Apache-2.0
// The layout of the memory that the processes of one host share: a mailbox for each process, then a ring for each
// ordered pair. Fresh memory is all zeros, which is the initial state of everything here.
//
// Each word has one writer, or is changed by atomic operations, and no word is a lock: a process may die at any
// instruction.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cohort::shared {

inline constexpr std::size_t line_size = 64;        // of a processor's cache
inline constexpr std::size_t most_processes = 256;  // of a host

static_assert(std::atomic<std::uint32_t>::is_always_lock_free && std::atomic<std::uint64_t>::is_always_lock_free,
              "an atomic with a lock would not survive the death of a process");

// A set of processes, by place.
struct Places {
  std::array<std::atomic<std::uint64_t>, most_processes / 64> words;

  void add(std::size_t place) { words[place / 64].fetch_or(std::uint64_t{1} << (place % 64)); }
  bool has(std::size_t place) const { return (words[place / 64].load() >> (place % 64) & 1) != 0; }
};

// How a process has ended.
enum class Ended : std::uint32_t { no, closed, died };

// What others tell a process, and what it tells all.
struct Mailbox {
  // Others add 1 after they have changed something that the owner must see and that is no record of a ring.
  alignas(line_size) std::atomic<std::uint32_t> notices;
  // The owner adds 1 before it looks at everything once more and sleeps: odd. Who then has something for the owner
  // rings the bell first and adds 1 second, so that nobody depends on a process that dies or stops between the two.
  // Whoever finds it even need not ring.
  std::atomic<std::uint32_t> asleep;
  // 1: the owner executes a barrier in all processes that have joined (far_barrier.hpp), after it has made `asleep` odd
  // and before it looks once more. So these need none between a record and their look at `asleep`.
  std::atomic<std::uint32_t> executes_barriers;

  alignas(line_size) Places opened;  // these send to the owner
  Places ended;                      // these send nothing more to the owner; what is in their rings counts
  Places reset;                      // of `ended`: those that have broken the link

  // By the owner. `ended` also by the agent, when the owner is dead.
  alignas(line_size) std::atomic<Ended> state;
  std::atomic<std::int32_t> process;    // the system's process number
  std::atomic<std::uint64_t> nonce_at;  // address of a number in the owner's own memory
  std::atomic<std::uint64_t> nonce;     // the number: who reads the same there can read the owner's memory
};

// The words beside a ring's lines.
struct RingWords {
  // By the reader.
  alignas(line_size) std::atomic<std::uint64_t> freed;  // lines, since the start
  std::atomic<std::uint64_t> read_references;           // since the start
  std::atomic<std::uint32_t> reads_directly;            // 1: the reader can read the writer's memory
  // By the writer.
  alignas(line_size) std::atomic<std::uint32_t> awaits_room;
};

class Layout {
 public:
  explicit Layout(std::size_t processes) : processes_(processes) {}

  std::size_t processes() const { return processes_; }
  std::size_t size() const { return ring_at(processes_, 0); }
  std::size_t mailbox_at(std::size_t place) const { return place * sizeof(Mailbox); }
  std::size_t ring_at(std::size_t from, std::size_t to) const {
    return mailbox_at(processes_) + (from * processes_ + to) * ring_size();
  }
  // Bytes of a ring with its words. All rings together take at most `most_rings`.
  std::size_t ring_size() const {
    const std::size_t share = most_rings / (processes_ * processes_) / line_size * line_size;
    return share < longest_ring ? share : longest_ring;
  }

 private:
  static constexpr std::size_t longest_ring = std::size_t{64} << 10;
  static constexpr std::size_t most_rings = std::size_t{64} << 20;

  std::size_t processes_;
};

}  // namespace cohort::shared
