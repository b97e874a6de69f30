// SPDX-License-Identifier: Apache-2.0
#include "runtime/develop/overlaps.hpp"

#include <fmt/format.h>

namespace cohort::detail {

bool Overlaps::of_one_thread() {
  if (thread_ == std::thread::id()) thread_ = std::this_thread::get_id();
  several_threads_ = several_threads_ || thread_ != std::this_thread::get_id();
  return !several_threads_;
}

void Overlaps::called(const Members& members, const std::string& collective) {
  if (!of_one_thread()) return;
  for (Rank rank = 0; rank < members.size(); ++rank) {
    Called& called = with_[members.pid_of(rank)];
    ++called.calls;
    called.latest = collective;
  }
}

std::uint64_t Overlaps::calls_with(Pid pid) { return of_one_thread() ? with_[pid].calls + 1 : 0; }

std::string Overlaps::between(Pid sender, std::uint64_t sent, std::uint64_t received, const std::string& sent_at,
                              const std::string& received_at) {
  if (sent == 0 || received <= sent || several_threads_ || !told_.emplace(sent_at, received_at).second) return "";
  const Called& called = with_[sender];
  if (received - sent == 1 && called.calls + 1 == received) return called.latest;
  return fmt::format("{} collectives of both, the last one {}", received - sent, called.latest);
}

}  // namespace cohort::detail
