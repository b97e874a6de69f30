// SPDX-License-Identifier: Apache-2.0
#include "runtime/develop/receive_order.hpp"

#include <fmt/format.h>

namespace cohort {

std::optional<Rank> ReceiveOrder::recorded(const AnyChannel& channel, std::uint64_t number) const {
  const auto found = replayed_->channels.find(channel);
  if (found == replayed_->channels.end() || number >= found->second.size()) return std::nullopt;
  return found->second[number];
}

std::vector<std::string> ReceiveOrder::missing() const {
  std::vector<std::string> words;
  if (!replayed_) return words;
  for (const auto& [channel, sources] : replayed_->channels) {
    const auto found = called_.find(channel);
    const std::uint64_t called = found == called_.end() ? 0 : found->second;
    if (called >= sources.size()) continue;
    words.push_back(
        fmt::format("this run departs from the record: {} was called {} times, and {} times when it was recorded",
                    describe(channel), called, sources.size()));
  }
  return words;
}

std::string describe(const AnyChannel& channel) {
  return fmt::format("receive_any with tag {} on group {}", channel.tag, to_string(channel.group));
}

}  // namespace cohort
