// SPDX-License-Identifier: Apache-2.0
// The words that every part of Cohort shares: ranks, pids, tags, operations and group identifiers.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// All names of the interface.
namespace cohort {

using Rank = std::int32_t;  // a process's position in a group: 0 ... size-1
using Pid = std::int32_t;   // a process's number in the job: its rank in the group `all`

// Besides the source, selects the messages that a receive takes. A type of its own, so that a tag is no rank: Tag{5}.
enum class Tag : std::uint32_t {};

// Sizes, offsets and counts of elements. Signed, so that a negative size can be refused instead of wrapping around.
using Count = std::int64_t;

// The calls of a group, as errors name them.
enum class Operation : std::uint8_t {
  bcast,
  reduce,
  combine,
  scatter,
  gather,
  concat,
  index,
  reduce_scatter,
  prefix,
  exclusive_prefix,
  shift,
  sync,
  send,
  receive,
  exchange,
  group,
  partition,
  leave,
  receive_any,
  last_operation = receive_any,
};

std::string_view name_of(Operation operation);  // "combine"

// A group's system-wide unique name: the counter and the pid of the process that has rank 0 in it, when the group was
// made. `derivation` is zero except for groups that are made without communication (Group::subrange): there it
// distinguishes the group from its parent. Values can be compared and sent in messages, and mean nothing else.
struct GroupId {
  std::uint32_t counter = 0;
  Pid pid = 0;
  std::uint64_t derivation = 0;

  friend auto operator<=>(const GroupId&, const GroupId&) = default;  // NOLINT: clang-tidy 14 sees a null pointer
};

std::string to_string(const GroupId& id);  // "(3,0)"

}  // namespace cohort
