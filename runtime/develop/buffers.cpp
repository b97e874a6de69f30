#include "runtime/develop/buffers.hpp"

#include <functional>

#include "runtime/pending.hpp"
#include "runtime/problem_of.hpp"

namespace cohort::detail {
namespace {

bool clash(const Buffer& a, const Buffer& b) {
  if (a.bytes == 0 || b.bytes == 0 || (!a.written && !b.written)) return false;
  return std::less<>()(a.data, b.data + b.bytes) && std::less<>()(b.data, a.data + a.bytes);
}

bool clash(const Buffers& a, const Buffers& b) {
  for (const Buffer& one : a) {
    for (const Buffer& other : b) {
      if (clash(one, other)) return true;
    }
  }
  return false;
}

void check(const GroupState& group, Operation operation, const Where& where, const Buffers& buffers) {
  group.runtime().for_each_pending([&](const Pending& other) {
    if (!other.ended() && clash(buffers, other.buffers()))
      refuse(group, operation, where, "its memory is in use by " + other.name() + ", which is in progress");
  });
}

Buffer buffer_of(const Memory& memory, std::size_t element_bytes, bool written) {
  return {memory.data, static_cast<std::size_t>(memory.count) * element_bytes, written};
}

}  // namespace

Buffers buffers_of(const Call& call, Rank me) {
  if (call.operation == Operation::bcast)
    return {buffer_of(call.output, call.element_bytes, call.root != me), Buffer{}};
  return {buffer_of(call.input, call.element_bytes, false), buffer_of(call.output, call.element_bytes, true)};
}

Buffers buffers_of(const Letter* out, const Letter* in) {
  Buffers buffers;
  if (out != nullptr) buffers[0] = buffer_of(out->memory, out->element_bytes, false);
  if (in != nullptr) buffers[1] = buffer_of(in->memory, in->element_bytes, true);
  return buffers;
}

void check_buffers(const GroupState& group, const Call& call) {
  check(group, call.operation, call.where, buffers_of(call, group.me()));
}

void check_buffers(const GroupState& group, const Letter* out, const Letter* in) {
  const Letter& letter = in != nullptr ? *in : *out;
  const Buffers buffers = buffers_of(out, in);
  if (clash(buffers[0], buffers[1]))
    refuse(group, letter.operation, letter.where, "what it sends and receives overlaps");
  check(group, letter.operation, letter.where, buffers);
}

}  // namespace cohort::detail
