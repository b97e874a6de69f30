// SPDX-License-Identifier: Apache-2.0
// One message, as a program passes it to a call of a channel.
#pragma once

#include <optional>
#include <vector>

#include "cohort/detail/arguments.hpp"

namespace cohort::detail {

// Blocks of the size of the first one, each so many bytes after the one before.
std::vector<Memory> memory_of_blocks(Memory first, Count blocks, Count stride_bytes);

template <class T>
std::vector<Memory> blocks_of(const Strided<T>& strided) {
  auto* const data = reinterpret_cast<std::byte*>(const_cast<std::remove_const_t<T>*>(strided.first));
  return memory_of_blocks({data, strided.block_length}, strided.blocks, strided.stride * static_cast<Count>(sizeof(T)));
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
void move_parts(const Shared<GroupState>& group, const std::vector<Part>& out, const std::vector<Part>& in,
                const Letter& letter);

// Where a message of any size goes: make(data, count) gives the memory of `data` for this many elements.
struct Room {
  void* data;
  Memory (*make)(void* data, Count count);
};

// Receives a message of any size. Returns nothing if there is no message and the call does not wait.
enum class Patience { waits, looks };
std::optional<Received> run(const Shared<GroupState>& group, const Letter& letter, Patience patience, const Room& room);

// A growing container gets the message's size; a value has one element.
template <class T>
Room room_in(T& data) {
  return {&data, [](void* place, Count count) {
            T& there = *static_cast<T*>(place);
            if constexpr (Growing<T>) there.resize(static_cast<std::size_t>(count));
            return memory_in(there);
          }};
}

// For elements of T, whatever T is.
template <class T>
Letter letter_for_elements(Operation operation, Rank peer, Tag tag, const Where& where) {
  return {operation, {}, sizeof(T), code_of_type<T>(), peer, static_cast<std::uint32_t>(tag), where};
}
// For a value of T, or for elements of the container T.
template <class T>
Letter letter_without_memory(Operation operation, Rank peer, Tag tag, const Where& where) {
  static_cast<void>(is_element<TypeIn<T&>>());
  return letter_for_elements<TypeIn<T&>>(operation, peer, tag, where);
}

// The message that such a receive would meet, whose count is in bytes. The letter's memory is not used.
Received wait_for_message(const Shared<GroupState>& group, const Letter& letter);

}  // namespace cohort::detail
