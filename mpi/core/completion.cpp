// SPDX-License-Identifier: Apache-2.0
// Waiting and testing.
#include "mpi/core/completion.hpp"

#include <fmt/format.h>

#include <thread>

#include "collectives/small_vector.hpp"
#include "mpi/core/detached_requests.hpp"
#include "mpi/core/outcomes.hpp"
#include "runtime/calls/wait_any.hpp"

namespace cohort::mpi {
namespace {

// The errors of several requests.
class Failures {
 public:
  explicit Failures(std::size_t of) : requests_(of) {}

  void add(std::optional<RequestMistake> mistake) {
    if (!mistake) return;
    ++number_;
    if (!first_) first_ = std::move(mistake);
  }
  void check() const {
    if (!first_) return;
    throw RequestMistake(
        abi::err_in_status,
        fmt::format("{} of {} requests failed, the first with: {}", number_, requests_, first_->what()),
        Ref(first_->communicator()));
  }

 private:
  std::size_t requests_;
  std::size_t number_ = 0;
  std::optional<RequestMistake> first_;
};

void reap() { DetachedRequests::of_process().reap(); }

void take_one(Request*& ended, Status* status) {
  const std::optional<RequestMistake> mistake = take(ended, status);
  reap();
  if (mistake) throw *mistake;
}

// All requests: those that have not ended stay as they are.
void take_all(std::span<Request*> requests, Status* statuses) {
  Failures failures(requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    Status* const status = nth(statuses, i);
    if (!has_operation(requests[i])) {
      report(Status::empty(), status);
    } else if (requests[i]->look()) {
      failures.add(take(requests[i], status));
    } else if (status != nullptr) {
      *status = Status::empty();
      status->error = abi::err_pending;
    }
  }
  reap();
  failures.check();
}

// All requests that have ended.
void take_some(std::span<Request*> requests, int& number, int* indices, Status* statuses) {
  Failures failures(requests.size());
  number = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (!has_operation(requests[i]) || !requests[i]->look()) continue;
    indices[number] = static_cast<int>(i);
    failures.add(take(requests[i], nth(statuses, static_cast<std::size_t>(number++))));
  }
  reap();
  failures.check();
}

// Looks at all in turn, because one of them does not depend on the runtime alone.
std::size_t poll_for_one(std::span<Request* const> requests) {
  for (;;) {
    const Found found = find_ended(requests);
    if (found.ended) return *found.ended;
    std::this_thread::yield();
  }
}

// Waits until an active request has ended, and returns its place. Nothing: no request is active.
std::optional<std::size_t> wait_for_one(std::span<Request* const> requests) {
  SmallVector<cohort::Request*, 32> parts;
  SmallVector<std::size_t, 32> places;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (!has_operation(requests[i])) continue;
    cohort::Request* const part = requests[i]->open_part();
    if (part == nullptr) {
      if (requests[i]->look()) return i;
      return poll_for_one(requests);
    }
    parts.push_back(part);
    places.push_back(i);
  }
  if (parts.empty()) return std::nullopt;
  for (;;) {
    const std::size_t ended = detail::wait_any({parts.data(), parts.size()});
    Request& request = *requests[places[ended]];
    if (request.look()) return places[ended];
    parts[ended] = request.open_part();  // the next one of the same request
  }
}

}  // namespace

void wait(Request*& request, Status* status) {
  if (!has_operation(request)) return report(Status::empty(), status);
  request->wait();
  take_one(request, status);
}

void test(Request*& request, int& flag, Status* status) {
  flag = 1;
  if (!has_operation(request)) return report(Status::empty(), status);
  if (request->test()) return take_one(request, status);
  flag = 0;
}

void waitany(int count, std::span<Request*> requests, int& index, Status* status) {
  check_count(count);
  const std::optional<std::size_t> place = wait_for_one(requests);
  index = place ? static_cast<int>(*place) : abi::undefined;
  if (!place) return report(Status::empty(), status);
  take_one(requests[*place], status);
}

void testany(int count, std::span<Request*> requests, int& index, int& flag, Status* status) {
  check_count(count);
  const Found found = find_ended(requests);
  index = found.ended ? static_cast<int>(*found.ended) : abi::undefined;
  flag = found.ended || !found.any_active ? 1 : 0;
  if (!found.any_active) return report(Status::empty(), status);
  if (found.ended) take_one(requests[*found.ended], status);
}

void waitall(int count, std::span<Request*> requests, Status* statuses) {
  check_count(count);
  for (Request* const request : requests) {
    if (!has_operation(request)) continue;
    request->wait();
    if (request->error && all_over(requests)) break;
  }
  take_all(requests, statuses);
}

void testall(int count, std::span<Request*> requests, int& flag, Status* statuses) {
  check_count(count);
  flag = all_over(requests) ? 1 : 0;
  if (flag != 0) take_all(requests, statuses);
}

void waitsome(int incount, std::span<Request*> requests, int& outcount, int* indices, Status* statuses) {
  check_count(incount);
  if (wait_for_one(requests)) return take_some(requests, outcount, indices, statuses);
  outcount = abi::undefined;
}

void testsome(int incount, std::span<Request*> requests, int& outcount, int* indices, Status* statuses) {
  check_count(incount);
  const Found found = find_ended(requests);
  if (found.ended) return take_some(requests, outcount, indices, statuses);
  outcount = found.any_active ? 0 : abi::undefined;
}

}  // namespace cohort::mpi
