// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/shell/memory_for_all.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <system_error>

#include "proto/process.pb.h"

namespace cohort {

void MemoryForAll::make(std::size_t places) {
  if (places > HostMemory::most_processes) {
    failure_ = "a host has memory for " + std::to_string(HostMemory::most_processes) + " processes, and this one has " +
               std::to_string(places);
    return;
  }
  try {
    memory_ = HostMemory::make(places);
  } catch (const std::system_error& error) {
    failure_ = error.what();
  }
}

void MemoryForAll::give(ProcessLink& link, std::size_t places) {
  if (!memory_ && failure_.empty()) make(places);
  process::v1::ToProcess message;
  message.mutable_memory()->set_places(static_cast<std::uint32_t>(places));
  message.mutable_memory()->set_failure(failure_);
  const SharedFrame frame = make_frame(message);
  if (!memory_) return link.send(frame);
  const std::span<const int> all = memory_->descriptors();
  for (std::size_t sent = 0; sent < all.size(); sent += most_descriptors) {
    link.send(frame, all.subspan(sent, std::min(most_descriptors, all.size() - sent)));
  }
}

}  // namespace cohort
