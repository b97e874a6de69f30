// SPDX-License-Identifier: Apache-2.0
// Buffered sends. Their data are copied at once. The copies do not lie in the memory that the program has attached;
// they are accounted against it.
#pragma once

#include <atomic>
#include <memory>

#include "mpi/core/messages.hpp"

namespace cohort::mpi {

// MPI_BUFFER_AUTOMATIC: memory without a limit.
inline void* const buffer_automatic = reinterpret_cast<void*>(2);

class SendBuffer {
 public:
  SendBuffer(void* attached, Count bytes) : memory(attached), size(bytes) {}

  // Takes the room for a message. Returns whether there is enough.
  bool take(Count bytes);
  void give_back(Count bytes) { used_.fetch_sub(bytes, std::memory_order_release); }
  bool unused() const { return used_.load(std::memory_order_acquire) == 0; }

  void* const memory;
  const Count size;

 private:
  std::atomic<Count> used_{0};
};

// Throws Mistake(err_buffer) if no buffer is attached, or the message does not fit.
void send_buffered(const Sending& sending);

}  // namespace cohort::mpi
