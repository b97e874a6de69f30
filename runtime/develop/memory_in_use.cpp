// SPDX-License-Identifier: Apache-2.0
#include "runtime/develop/memory_in_use.hpp"

#include <functional>

#include "runtime/calls/pending_collective.hpp"
#include "runtime/calls/problem_of.hpp"
#include "runtime/calls/where.hpp"

namespace cohort::detail {
namespace {

bool clash(const UsedMemory& a, const UsedMemory& b) {
  if (a.bytes == 0 || b.bytes == 0 || (!a.written && !b.written)) return false;
  return std::less<>()(a.data, b.data + b.bytes) && std::less<>()(b.data, a.data + a.bytes);
}

bool clash(const UsedMemories& a, const UsedMemories& b) {
  for (const UsedMemory& one : a) {
    for (const UsedMemory& other : b) {
      if (clash(one, other)) return true;
    }
  }
  return false;
}

template <class AnyCall>
void check(const GroupState& group, const AnyCall& call, const UsedMemories& memory) {
  group.runtime().for_each_pending([&](const Pending& other) {
    if (!other.ended() && clash(memory, other.memory()))
      refuse(group, call.operation, place_of(call),
             "its memory is in use by " + other.name() + ", which is in progress");
  });
}

UsedMemory memory_of(const Letter* letter, bool written) {
  if (letter == nullptr || !letter->pieces.empty()) return {};  // pieces are not compared
  return {letter->memory.data, static_cast<std::size_t>(letter->memory.count) * letter->element_bytes, written};
}

}  // namespace

void check_memory(const GroupState& group, const Call& call) {
  check(group, call, PendingCollective::memory_of(call, group.me()));
}

void check_memory(const GroupState& group, const Letter* out, const Letter* in) {
  const Letter& letter = in != nullptr ? *in : *out;
  const UsedMemories memory = {memory_of(out, false), memory_of(in, true)};
  if (clash(memory[0], memory[1]))
    refuse(group, letter.operation, place_of(letter), "what it sends and receives overlaps");
  check(group, letter, memory);
}

}  // namespace cohort::detail
