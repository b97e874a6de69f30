// SPDX-License-Identifier: Apache-2.0
// Long messages travel in chunks. A message that takes long on a slow link would keep beats back, and whoever sends it
// would count as silent; a chunk is heard.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <utility>

namespace cohort {

inline constexpr std::size_t longest_chunk = std::size_t{64} << 10;    // bytes; at 1 Mbit/s it takes half a second
inline constexpr std::size_t longest_alone = 2 * longest_chunk;        // a message that is no chunk of another
inline constexpr std::size_t longest_message = std::size_t{20} << 20;  // more than a line of output of 16 MiB

// Appends the message (v1::FromHost or v1::ToHost) to those that wait to be sent.
template <class Message>
void append_in_chunks(std::deque<Message>& waiting, Message&& message) {
  if (message.ByteSizeLong() <= longest_chunk) return waiting.push_back(std::move(message));
  const std::string whole = message.SerializeAsString();
  for (std::size_t begin = 0; begin < whole.size(); begin += longest_chunk) {
    auto& chunk = *waiting.emplace_back().mutable_chunk();
    chunk.set_data(whole.substr(begin, longest_chunk));
    chunk.set_continues(whole.size() - begin > longest_chunk);
  }
}

// One side's messages as they arrive, to be made whole.
class Chunks {
 public:
  enum class State : std::uint8_t { whole, more_to_come, nonsense };

  // Puts the whole message in the place of its last chunk. What is longer than longest_message counts as nonsense: of
  // our messages only the records of a replay could be.
  template <class Message>
  State join(Message& message) {
    if (!message.has_chunk()) return begun_.empty() ? State::whole : State::nonsense;
    begun_ += message.chunk().data();
    if (begun_.size() > longest_message) return State::nonsense;
    if (message.chunk().continues()) return State::more_to_come;
    const std::string whole = std::exchange(begun_, {});
    return message.ParseFromString(whole) && !message.has_chunk() ? State::whole : State::nonsense;
  }

 private:
  std::string begun_;
};

}  // namespace cohort
