// SPDX-License-Identifier: Apache-2.0
// The typed edge: turns ranges of elements into one description of a call, in bytes, that the runtime performs.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cohort/detail/elements.hpp"
#include "cohort/detail/reduction.hpp"
#include "cohort/element.hpp"
#include "cohort/request.hpp"
#include "cohort/types.hpp"

namespace cohort {

class Membership;

// The line of the user's call, for error messages. Or, without a line, the name of the call in another interface.
struct Where {
  static constexpr Where current(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {file, line};
  }
  const char* file = "";  // lives as long as the program
  unsigned line = 0;
};

// The result of receive_any(): the source, and the number of elements.
struct Arrival {
  Rank source = 0;
  Count count = 0;
};

namespace detail {

class GroupState;
class NamedAlgorithm;

template <class R>
using ElementOf = std::remove_cv_t<std::ranges::range_value_t<R>>;

template <class A, class B>
concept SameElements = std::is_same_v<ElementOf<A>, ElementOf<B>>;

// A stretch of elements, without their type.
struct Memory {
  std::byte* data = nullptr;  // read-only if it is an input
  Count count = 0;
};

template <class R>
Memory memory_of(R&& range) {
  const auto* data = std::ranges::data(range);
  return {const_cast<std::byte*>(reinterpret_cast<const std::byte*>(data)),
          static_cast<Count>(std::ranges::size(range))};
}

template <class T>
Memory memory_of_value(T& value) {
  return {reinterpret_cast<std::byte*>(const_cast<std::remove_const_t<T>*>(&value)), 1};
}

// One call of a collective operation by one member. Memory that the operation does not use on this rank is ignored.
struct Call {
  Operation operation = Operation::sync;
  Memory input;
  Memory output;
  std::size_t element_bytes = 1;
  Code type = 0;  // of the elements
  Rank root = 0;
  Count distance = 0;  // shift
  bool cyclic = true;  // shift
  bool in_place = false;
  bool per_rank = false;  // sizes differ by rank: `counts`, and for index `receive_counts`
  std::vector<Count> counts;
  std::vector<Count> receive_counts;
  Reduction reduction;
  Where where;
  const char* as = nullptr;  // the name of the call in another interface, for messages to people: "MPI_Allreduce"
};

// The state behind a Group.
struct Handle {
  Shared<GroupState> group;
  Shared<const NamedAlgorithm> algorithm = nullptr;  // of its collectives; null: the runtime's choice
};

// The state behind a group, for other interfaces.
const Shared<GroupState>& state_of(const Membership& group);

Shared<const NamedAlgorithm> name_algorithm(std::string_view text);  // null for no text

// Starts the call, and waits for it. Throws Error.
void run(const Handle& handle, Call&& call);
Request start(const Handle& handle, Call&& call);
Persistent prepare(const Handle& handle, Call&& call);

// One message of a channel.
struct Letter {
  Operation operation = Operation::send;  // send, receive, exchange or receive_any, which names no peer
  Memory memory;
  std::size_t element_bytes = 1;
  Code type = 0;  // of the elements
  Rank peer = 0;
  std::uint32_t tag = 0;
  Where where;

  // Of other interfaces only.
  const char* as = nullptr;          // the name of their call, for messages to people: "MPI_Send"
  std::span<const Memory> pieces{};  // if there are any: the memory, instead of `memory`. Copied at the start.
  bool any_tag = false;              // a receive takes messages with any tag
  bool synchronous = false;          // a send is complete when its receive has been called
  bool internal = false;             // a message of the interface itself, apart from the program's
};

// What a receive has met.
struct Received {
  Rank source = -1;  // nothing
  Count count = 0;
  std::uint32_t tag = 0;
};

// A message out, a message in, or both at once; null: none. `met` gets what was received also if the message is too
// long, and the function throws.
Received run(const Shared<GroupState>& group, const Letter* out, const Letter* in, Received* met = nullptr);
Request start(const Shared<GroupState>& group, const Letter* out, const Letter* in);
Persistent prepare(const Shared<GroupState>& group, const Letter* out, const Letter* in);

}  // namespace detail
}  // namespace cohort
