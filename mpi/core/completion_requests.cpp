// SPDX-License-Identifier: Apache-2.0
// Requests without waiting: their status, starting, freeing and cancelling them; generalized requests.
#include <utility>

#include "mpi/core/completion.hpp"
#include "mpi/core/detached_requests.hpp"
#include "mpi/core/outcomes.hpp"

namespace cohort::mpi {

void request_get_status(Request* request, int& flag, Status* status) {
  flag = 1;
  if (!has_operation(request)) return report(Status::empty(), status);
  if (request->test()) return report(status_of(*request), status);
  flag = 0;
}

void request_get_status_any(int count, std::span<Request* const> requests, int& index, int& flag, Status* status) {
  check_count(count);
  const Found found = find_ended(requests);
  index = found.ended ? static_cast<int>(*found.ended) : abi::undefined;
  flag = found.ended || !found.any_active ? 1 : 0;
  if (!found.any_active) return report(Status::empty(), status);
  if (found.ended) report(status_of(*requests[*found.ended]), status);
}

void request_get_status_all(int count, std::span<Request* const> requests, int& flag, Status* statuses) {
  check_count(count);
  flag = 1;
  all_over(requests);  // makes progress
  for (Request* const request : requests) {
    if (has_operation(request) && !request->look()) flag = 0;
  }
  for (std::size_t i = 0; i < requests.size() && flag != 0; ++i)
    report(has_operation(requests[i]) ? status_of(*requests[i]) : Status::empty(), nth(statuses, i));
}

void request_get_status_some(int incount, std::span<Request* const> requests, int& outcount, int* indices,
                             Status* statuses) {
  check_count(incount);
  const Found found = find_ended(requests);
  outcount = found.any_active ? 0 : abi::undefined;
  for (std::size_t i = found.ended.value_or(requests.size()); i < requests.size(); ++i) {
    if (!has_operation(requests[i]) || !requests[i]->look()) continue;
    indices[outcount] = static_cast<int>(i);
    report(status_of(*requests[i]), nth(statuses, static_cast<std::size_t>(outcount++)));
  }
}

namespace {

void check_generalized(const Request& request) {
  check(request.generalized != nullptr, abi::err_request, "the request is not a generalized one");
}

// The program needs a generalized request no more, and it is complete.
void end_generalized(Request& request) {
  const Ref<Request> ending = Ref<Request>::adopt(&request);
  free_state(*request.generalized);
}

void check_startable(const Request* request) {
  check(request != nullptr && request->persistent, abi::err_request,
        "the request is not persistent: only a persistent one can be started");
  check(!request->active, abi::err_request, "the request has been started, and is not complete");
}

}  // namespace

void request_free(Request*& request) {
  check(request != nullptr, abi::err_request, "the request is MPI_REQUEST_NULL");
  using Generalized = Request::Generalized;
  Request& freed = *std::exchange(request, nullptr);
  if (freed.generalized) {
    if ((freed.generalized->events.fetch_or(Generalized::freed) & Generalized::complete) != 0) end_generalized(freed);
    return;
  }
  DetachedRequests& detached = DetachedRequests::of_process();
  detached.reap();
  Ref<Request> last = Ref<Request>::adopt(&freed);
  if (freed.active && !freed.look()) detached.add(std::move(last));
}

void complete_detached() { DetachedRequests::of_process().complete_all(); }

void cancel(Request& request) {
  if (const Request::Generalized* const generalized = request.generalized.get()) {
    const bool complete = (generalized->events.load() & Request::Generalized::complete) != 0;
    const CancelFunction& function = generalized->cancel;
    const int code = function.call(function.function, generalized->extra_state, complete);
    check(code == abi::success, code, "the cancel function of a generalized request returned an error");
    return;
  }
  if (!request.active || !request.may_be_cancelled || request.look()) return;
  request.status.cancelled = request.parts[0].cancel();
  request.look();
}

void test_cancelled(const Status& status, int& flag) { flag = status.cancelled ? 1 : 0; }
void status_set_cancelled(Status& status, int flag) { status.cancelled = flag != 0; }

void start(Request*& request) {
  check_startable(request);
  request->start();
}

void startall(int count, std::span<Request*> requests) {
  check_count(count);
  for (const Request* const request : requests) check_startable(request);
  for (Request* const request : requests) request->start();
}

void grequest_start(QueryFunction query, FreeFunction free, CancelFunction cancel, void* extra_state,
                    Request*& request) {
  request = new Request(nullptr);
  request->generalized = std::make_unique<Request::Generalized>();
  Request::Generalized& generalized = *request->generalized;
  generalized.query = query;
  generalized.free = free;
  generalized.cancel = cancel;
  generalized.extra_state = extra_state;
  request->over = [&generalized] { return (generalized.events.load() & Request::Generalized::complete) != 0; };
}

void grequest_complete(Request& request) {
  check_generalized(request);
  using Generalized = Request::Generalized;
  if ((request.generalized->events.fetch_or(Generalized::complete) & Generalized::freed) != 0) end_generalized(request);
}

}  // namespace cohort::mpi
