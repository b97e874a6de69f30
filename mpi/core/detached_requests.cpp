// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/detached_requests.hpp"

#include <algorithm>
#include <iterator>
#include <thread>
#include <utility>

#include "runtime/inert.hpp"

namespace cohort::mpi {

DetachedRequests& DetachedRequests::of_process() {
  static DetachedRequests& never_deleted = *new DetachedRequests;  // a program may end without MPI_Finalize
  return never_deleted;
}

void DetachedRequests::add(Ref<Request> request, const SendBuffer* buffer) {
  const std::lock_guard lock(mutex_);
  list_.push_back({std::move(request), buffer});
  number_ = list_.size();
}

bool DetachedRequests::reap_some() {
  bool alone = false;
  std::vector<Detached> taken;  // looked at without the mutex
  {
    const std::lock_guard lock(mutex_);
    taken.swap(list_);
    number_ = 0;
    alone = looking_++ == 0;
  }
  // In a fork, or within an operator, a look throws.
  std::erase_if(taken, [](const Detached& detached) { return !detail::is_inert() && detached.request->look(); });
  const std::lock_guard lock(mutex_);
  std::ranges::move(taken, std::back_inserter(list_));
  number_ = list_.size();
  --looking_;
  return alone;
}

void DetachedRequests::complete_all() {
  while (const Ref<Request> request = take_one(nullptr)) request->wait();
}

void DetachedRequests::complete_all_of(const SendBuffer& buffer) {
  while (!buffer.unused()) {
    if (const Ref<Request> request = take_one(&buffer)) {
      request->wait();
    } else {
      std::this_thread::yield();  // another thread completes it
    }
  }
}

// Any of this buffer, or any at all. Null: there is none.
Ref<Request> DetachedRequests::take_one(const SendBuffer* of) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::ranges::find_if(list_, [of](const Detached& detached) { return of == nullptr || detached.buffer == of; });
  if (found == list_.end()) return {};
  const Ref<Request> request = std::move(found->request);
  *found = std::move(list_.back());
  list_.pop_back();
  number_ = list_.size();
  return request;
}

}  // namespace cohort::mpi
