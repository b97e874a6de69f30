// SPDX-License-Identifier: Apache-2.0
// Operations that no request of the program stands for any more: those of freed requests, and buffered sends. They are
// completed in passing, by later calls.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

#include "mpi/core/request.hpp"
#include "mpi/core/send_buffer.hpp"

namespace cohort::mpi {

class DetachedRequests {
 public:
  static DetachedRequests& of_process();

  // `buffer`: where the data of a buffered send are accounted.
  void add(Ref<Request> request, const SendBuffer* buffer = nullptr);

  // Completes those that have ended. Makes no progress.
  void reap() {
    if (number_.load(std::memory_order_relaxed) > 0) reap_some();
  }

  // Block. Errors of these operations reach nobody.
  void complete_all();
  void complete_all_of(const SendBuffer& buffer);

 private:
  struct Detached {
    Ref<Request> request;
    const SendBuffer* buffer;
  };

  void reap_some();
  Ref<Request> take_one(const SendBuffer* of);

  std::mutex mutex_;
  std::vector<Detached> list_;
  std::atomic<std::size_t> number_{0};  // of those in the list
};

}  // namespace cohort::mpi
