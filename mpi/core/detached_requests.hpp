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

  // Completes those that have ended. Makes no progress. Leaves out those that another thread is looking at.
  void reap() {
    if (number_.load(std::memory_order_relaxed) > 0) reap_some();
  }
  // The same; returns whether no other thread was looking at any, so that all that had ended are complete.
  bool reap_some();

  // Block. Errors of these operations reach nobody.
  void complete_all();
  void complete_all_of(const SendBuffer& buffer);

 private:
  struct Detached {
    Ref<Request> request;
    const SendBuffer* buffer;
  };

  Ref<Request> take_one(const SendBuffer* of);

  std::mutex mutex_;
  std::vector<Detached> list_;
  int looking_ = 0;                     // threads that have taken some out of the list to look at them
  std::atomic<std::size_t> number_{0};  // of those in the list
};

}  // namespace cohort::mpi
