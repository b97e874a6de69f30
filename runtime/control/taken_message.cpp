// SPDX-License-Identifier: Apache-2.0
#include "runtime/control/taken_message.hpp"

#include <algorithm>

#include "proto/process.pb.h"
#include "runtime/control/group_message.hpp"

namespace cohort {

namespace {

constexpr std::uint64_t most_in_progress = 1u << 20;  // of one tag in one group; a larger number makes no sense

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
  std::vector<Rank>& known = sources[{read(message.group()), message.tag()}];
  if (message.number() > known.size() + most_in_progress) return;
  const auto first = static_cast<std::size_t>(message.number());
  const std::size_t end = first + static_cast<std::size_t>(message.sources_size());
  if (known.size() < end) known.resize(end, no_source);
  std::ranges::copy(message.sources(), known.begin() + static_cast<std::ptrdiff_t>(first));
}

}  // namespace cohort
