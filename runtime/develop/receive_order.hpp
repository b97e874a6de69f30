// Gives each receive_any its place in the record of a run, and says what the record that is replayed holds for it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/recorded_receives.hpp"

namespace cohort {

// One process's, under the runtime's mutex.
class ReceiveOrder {
 public:
  explicit ReceiveOrder(std::optional<Sources> replayed) : replayed_(std::move(replayed)) {}

  bool replays() const { return replayed_.has_value(); }

  // The number of the next receive.
  std::uint64_t next(const AnyChannel& channel) { return called_[channel]++; }

  // The source of that one in the record that is replayed; nothing if it is not in it.
  std::optional<Rank> recorded(const AnyChannel& channel, std::uint64_t number) const;

  // What the record holds beyond the calls so far, in words.
  std::vector<std::string> missing() const;

 private:
  const std::optional<Sources> replayed_;
  std::map<AnyChannel, std::uint64_t> called_;
};

}  // namespace cohort
