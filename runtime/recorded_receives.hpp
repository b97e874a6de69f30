// Which member each receive_any took its message from, as a job records it and replays it.
#pragma once

#include <cstdint>
#include <map>
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

// By number; no_source where a receive was cancelled before it took a message.
using Sources = std::map<AnyChannel, std::vector<Rank>>;
constexpr Rank no_source = -1;

// "receive_any with tag 3 on group (0,0)"
std::string describe(const AnyChannel& channel);

}  // namespace cohort
