// SPDX-License-Identifier: Apache-2.0
// Which member each receive_any took its message from: recorded by a job, and replayed in a later one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cohort/types.hpp"

namespace cohort {

// The receives of one tag in one group, numbered from 0 in the order of their calls.
struct AnyChannel {
  GroupId group;
  std::uint32_t tag = 0;

  friend auto operator<=>(const AnyChannel&, const AnyChannel&) = default;  // NOLINT: as for GroupId
};

struct Taken {
  AnyChannel channel;
  std::uint64_t number = 0;
  Rank source = 0;
};

constexpr Rank no_source = -1;  // the receive was cancelled before it took a message
constexpr Rank not_told = -2;   // it has not ended, and a later one has

struct Sources {
  std::map<AnyChannel, std::vector<Rank>> channels;  // each channel's sources, by number of the receive
  std::size_t untold = 0;                            // how many of all these are not_told
};

// "receive_any with tag 3 on group (0,0)"
std::string describe(const AnyChannel& channel);

}  // namespace cohort
