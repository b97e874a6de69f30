// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/shared/shared_limits.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "runtime/time_source.hpp"
#include "runtime/transport/shared/peer_memory.hpp"

namespace cohort {
namespace {

constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
constexpr std::size_t sample = std::size_t{32} << 10;
constexpr std::size_t least = std::size_t{4} << 10;
constexpr int tries = 5;

// A byte through a ring takes so many times as long as within one cache: it moves from one core's cache to another's.
// Where both were measured it was 7, and another machine's ring took half of that time.
constexpr double ring_by_copy = 5;
// The reader wakes the sender, and tells it afterwards.
constexpr double calls_per_read = 2;

// Nanoseconds; the shortest of some tries, since others may use the core.
template <class Work>
double time_of(const Work& work) {
  Nanoseconds shortest = Nanoseconds::max();
  for (int i = 0; i < tries; ++i) {
    const Nanoseconds start = steady_now();
    work();
    shortest = std::min(shortest, steady_now() - start);
  }
  return static_cast<double>(shortest.count());
}

// From how many bytes on the kernel's copy takes less time.
std::size_t crossing() {
  std::vector<std::byte> from(sample, std::byte{1});
  std::vector<std::byte> to(sample);
  bool allowed = true;
  const auto read = [&](std::size_t size) {
    const shared::PeerPieces there{shared::PeerPiece{reinterpret_cast<std::uint64_t>(from.data()), size}};
    allowed &= shared::read_peer(::getpid(), there, Pieces{Piece{to.data(), size}}).empty();
  };
  const double call = time_of([&] { read(1); });
  const double by_kernel = (time_of([&] { read(sample); }) - call) / sample;
  const double by_ring = ring_by_copy * time_of([&] { std::memcpy(to.data(), from.data(), sample); }) / sample;
  if (!allowed || by_kernel >= by_ring) return never;
  return std::max(least, static_cast<std::size_t>(calls_per_read * call / (by_ring - by_kernel)));
}

}  // namespace

// Where processes take turns, each payload that is read from its sender costs that sender a turn. A payload that fits
// into the ring costs none.
SharedLimits measured_limits(bool in_turn, std::size_t ring_size) {
  return {.direct_from = std::max(crossing(), in_turn ? ring_size : 0), .in_turn = in_turn};
}

}  // namespace cohort
