// SPDX-License-Identifier: Apache-2.0
// The memory that the processes of this host share, made when the first of them has said hello.
#pragma once

#include <cstddef>
#include <memory>

#include "launcher/host/shell/process_link.hpp"
#include "runtime/transport/shared/host_memory.hpp"

namespace cohort {

class MemoryForAll {
 public:
  // Hands it to a process, one of so many on this host. If there is none, the process is told why.
  void give(ProcessLink& link, std::size_t places);

  // The process has ended. Nothing happens if it has left in order.
  void died(std::size_t place) const {
    if (memory_) memory_->died(place);
  }

 private:
  void make(std::size_t places);

  std::shared_ptr<HostMemory> memory_;
  std::string failure_;
};

}  // namespace cohort
