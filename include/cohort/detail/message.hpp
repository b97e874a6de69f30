// SPDX-License-Identifier: Apache-2.0
// One message, as a program passes it to a call of a channel.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "cohort/detail/arguments.hpp"

namespace cohort::detail {

template <class T>
std::vector<Memory> blocks_of(const Strided<T>& strided) {
  std::vector<Memory> blocks;
  for (Count block = 0; block < strided.blocks; ++block) {
    Memory memory = memory_of_value(strided.first[block * strided.stride]);
    memory.count = strided.block_length;
    blocks.push_back(memory);
  }
  return blocks;
}

// Holds the list of blocks of strided(), until the runtime has copied it.
class Message {
 public:
  explicit Message(const Letter& letter, std::vector<Memory> blocks = {})
      : letter_(letter), blocks_(std::move(blocks)) {
    letter_.pieces = blocks_;
  }
  Message(const Message&) = delete;

  const Letter& letter() const { return letter_; }

 private:
  Letter letter_;
  std::vector<Memory> blocks_;
};

// Data is the type as the call's forwarding reference has it: a temporary is no reference.
template <Access access, bool goes_on, class Data>
Message message(Operation operation, std::remove_reference_t<Data>& data, Rank peer, Tag tag, const Where& where) {
  const auto number = static_cast<std::uint32_t>(tag);
  if constexpr (!is_argument<access, goes_on, Data>()) {
    return Message({operation, {}, 1, 0, peer, number, where});
  } else {
    using T = TypeIn<Data>;
    if constexpr (is_strided<std::remove_cvref_t<Data>>) {
      return Message({operation, {}, sizeof(T), code_of_type<T>(), peer, number, where}, blocks_of(data));
    } else {
      return Message({operation, memory_in(data), sizeof(T), code_of_type<T>(), peer, number, where});
    }
  }
}

// The elements for a rank, or from it.
struct Part {
  Rank peer = 0;
  Memory memory;
};

// Sends and receives these parts, apart from the program's messages. `letter` says the rest: the call, for error
// messages, and the type. Parts without elements are not sent.
void move_parts(const std::shared_ptr<GroupState>& group, const std::vector<Part>& out, const std::vector<Part>& in,
                const Letter& letter);

// Gives memory for this many elements.
using Room = std::function<Memory(Count count)>;

// Receives a message of any size. Returns nothing if there is no message and the call does not wait.
enum class Patience { waits, looks };
std::optional<Received> run(const std::shared_ptr<GroupState>& group, const Letter& letter, Patience patience,
                            const Room& room);

// A growing container gets the message's size; a value has one element.
template <class T>
Room room_in(T& data) {
  return [&data](Count count) {
    if constexpr (Growing<T>) data.resize(static_cast<std::size_t>(count));
    return memory_in(data);
  };
}

// For elements of T, or of the container T.
template <class T>
Letter letter_without_memory(Operation operation, Rank peer, Tag tag, const Where& where) {
  static_cast<void>(is_element<TypeIn<T&>>());
  return {operation, {}, sizeof(TypeIn<T&>), code_of_type<TypeIn<T&>>(), peer, static_cast<std::uint32_t>(tag), where};
}

// The message that such a receive would meet, whose count is in bytes. The letter's memory is not used.
Received wait_for_message(const std::shared_ptr<GroupState>& group, const Letter& letter);

}  // namespace cohort::detail
