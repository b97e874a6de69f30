// Which member each receive_any took its message from: what a job records in develop mode, and replays.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cohort/types.hpp"

namespace cohort {

// The receives of one tag in one group are counted as they are called, from 0.
struct AnyChannel {
  GroupId group;
  Tag tag = 0;

  friend auto operator<=>(const AnyChannel&, const AnyChannel&) = default;  // NOLINT: as for GroupId
};

struct Taken {
  AnyChannel channel;
  std::uint64_t number = 0;
  Rank source = 0;
};

// By number; no_source where a receive was given up before it took a message.
using Sources = std::map<AnyChannel, std::vector<Rank>>;
constexpr Rank no_source = -1;

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

// "receive_any with tag 3 on group (0,0)"
std::string describe(const AnyChannel& channel);

}  // namespace cohort
