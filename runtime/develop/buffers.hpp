// Memory that operations in progress use: in develop mode nothing may be written that another one reads or writes.
#pragma once

#include <array>

#include "runtime/group_state.hpp"

namespace cohort::detail {

struct Buffer {
  const std::byte* data = nullptr;
  std::size_t bytes = 0;
  bool written = false;
};

// What an operation uses, at most: what it reads, and what it writes.
using Buffers = std::array<Buffer, 2>;

Buffers buffers_of(const Call& call, Rank me);
Buffers buffers_of(const Letter* out, const Letter* in);

// Throws Error(argument) that names the operation in progress whose buffer it is too. Under the mutex.
void check_buffers(const GroupState& group, const Call& call);
void check_buffers(const GroupState& group, const Letter* out, const Letter* in);

}  // namespace cohort::detail
