// SPDX-License-Identifier: Apache-2.0
// Gives each receive_any its number in the record of a run, and finds its source in a replayed record.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/recorded_receives.hpp"

namespace cohort {

// One for each process, under the runtime's mutex.
class ReceiveOrder {
 public:
  explicit ReceiveOrder(std::optional<Sources> replayed) : replayed_(std::move(replayed)) {}

  bool replays() const { return replayed_.has_value(); }

  // The number of the next receive.
  std::uint64_t next(const AnyChannel& channel) { return called_[channel]++; }

  // The recorded source of this receive; nothing if the replayed record does not have the receive.
  std::optional<Rank> recorded(const AnyChannel& channel, std::uint64_t number) const;

  // Names the receives of the record that were not called.
  std::vector<std::string> missing() const;

 private:
  const std::optional<Sources> replayed_;
  std::map<AnyChannel, std::uint64_t> called_;
};

}  // namespace cohort
