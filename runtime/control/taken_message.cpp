// SPDX-License-Identifier: Apache-2.0
#include "runtime/control/taken_message.hpp"

#include <algorithm>

#include "proto/process.pb.h"
#include "runtime/control/group_message.hpp"

namespace cohort {

namespace {

// Receives in progress, of all channels of a process. Each takes memory here, so a number that would make it more makes
// no sense.
constexpr std::size_t most_untold = 1u << 20;

void write(const AnyChannel& channel, process::v1::Taken& message) {
  write(channel.group, *message.mutable_group());
  message.set_tag(channel.tag);
}

}  // namespace

void write(const Taken& taken, process::v1::Taken& message) {
  write(taken.channel, message);
  message.set_number(taken.number);
  message.add_sources(taken.source);
}

void write(const AnyChannel& channel, const std::vector<Rank>& sources, process::v1::Taken& message) {
  write(channel, message);
  *message.mutable_sources() = {sources.begin(), sources.end()};
}

void read(const process::v1::Taken& message, Sources& sources) {
  const AnyChannel channel{read(message.group()), message.tag()};
  const auto first = static_cast<std::size_t>(message.number());
  const auto found = sources.channels.find(channel);
  const std::size_t had = found == sources.channels.end() ? 0 : found->second.size();
  if (first > had && first - had > most_untold - sources.untold) return;
  std::vector<Rank>& known = sources.channels[channel];
  const std::size_t end = first + static_cast<std::size_t>(message.sources_size());
  if (had < end) {
    sources.untold += end - had;
    known.resize(end, not_told);
  }
  for (std::size_t i = first; i < end; ++i) {
    if (known[i] == not_told) --sources.untold;
    known[i] = std::max(message.sources(static_cast<int>(i - first)), no_source);
  }
}

}  // namespace cohort
