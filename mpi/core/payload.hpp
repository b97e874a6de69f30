// SPDX-License-Identifier: Apache-2.0
// The data of one message as the runtime moves them: the program's memory, several pieces of it, or a packed copy.
#pragma once

#include <cstddef>
#include <memory>

#include "cohort/detail/call.hpp"
#include "collectives/small_vector.hpp"
#include "mpi/core/data.hpp"
#include "runtime/recycled_memory.hpp"

namespace cohort::mpi {

class Payload {
 public:
  static Payload to_send(const Data& data);
  static Payload to_receive(const Data& data);
  static Payload copy_of(const Data& data);  // to send

  // States the memory in the letter, which must not outlive this object.
  void describe(detail::Letter& letter) const;

  bool is_copy() const { return copy_ != nullptr; }
  const std::byte* copy() const { return copy_->data(); }
  // Must stay until the message has left or arrived; null if there is no copy.
  std::shared_ptr<RecycledMemory> keep() const { return copy_; }

 private:
  bool take(const Data& data);
  void allocate(Count bytes);

  detail::Memory memory_;
  SmallVector<detail::Memory, 2> pieces_;  // if there are any: the memory, instead of memory_
  std::shared_ptr<RecycledMemory> copy_;
};

}  // namespace cohort::mpi
