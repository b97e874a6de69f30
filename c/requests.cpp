// SPDX-License-Identifier: Apache-2.0
// Operations in progress.
#include <exception>
#include <span>
#include <vector>

#include "c/guard.hpp"
#include "runtime/calls/wait_any.hpp"

namespace cohort::c {
namespace {

void wait_for(cohort_request& request) {
  request.over = true;
  request.request.wait();
}

bool is_open(const cohort_request* request) { return request != nullptr && !request->over; }

std::span<cohort_request* const> list(cohort_request* const* requests, Count count, const Where& where) {
  if (count < 0) refuse(where, "the list of requests has the negative size " + std::to_string(count));
  if (count > 0) existing(requests, "the list of requests", where);
  return {requests, static_cast<std::size_t>(count)};
}

// The place of a request that has ended, after waiting for one. Returns the list's size if none is open.
std::size_t wait_for_one(std::span<cohort_request* const> requests) {
  std::vector<Request*> open;
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < requests.size(); ++place) {
    if (!is_open(requests[place])) continue;
    if (requests[place]->request.ended()) return place;
    open.push_back(&requests[place]->request);
    places.push_back(place);
  }
  return open.empty() ? requests.size() : places[detail::wait_any(open)];
}

}  // namespace
}  // namespace cohort::c

using cohort::Where;
namespace c = cohort::c;

int cohort_request_test(cohort_request* request, int32_t* complete) {
  return c::guarded("cohort_request_test", [&](const Where& where) {
    c::existing(request, "the request", where);
    int32_t& place = c::existing(complete, "the place for the answer", where);
    request->over = true;  // also if it throws
    place = request->over = request->request.test();
  });
}

int cohort_request_wait(cohort_request* request) {
  return c::guarded("cohort_request_wait",
                    [&](const Where& where) { c::wait_for(c::existing(request, "the request", where)); });
}

int cohort_request_wait_any(cohort_request* const* requests, int64_t count, int64_t* place) {
  return c::guarded("cohort_request_wait_any", [&](const Where& where) {
    const std::span all = c::list(requests, count, where);
    int64_t& found = c::existing(place, "the place for the answer", where);
    found = static_cast<int64_t>(c::wait_for_one(all));
    if (found < count) c::wait_for(*requests[found]);
  });
}

int cohort_request_wait_all(cohort_request* const* requests, int64_t count) {
  return c::guarded("cohort_request_wait_all", [&](const Where& where) {
    std::exception_ptr first;
    for (cohort_request* const request : c::list(requests, count, where)) {
      try {
        if (c::is_open(request)) c::wait_for(*request);
      } catch (...) {
        if (!first) first = std::current_exception();
      }
    }
    if (first) std::rethrow_exception(first);
  });
}

int cohort_request_cancel(cohort_request* request, int32_t* cancelled) {
  return c::guarded("cohort_request_cancel", [&](const Where& where) {
    c::existing(request, "the request", where);
    const bool done = request->request.cancel();
    request->over = request->over || done;
    if (cancelled != nullptr) *cancelled = done;
  });
}

cohort_arrival cohort_request_arrival(const cohort_request* request) {
  return {request->request.received(), request->request.source(), static_cast<uint32_t>(request->request.tag())};
}

void cohort_request_free(cohort_request* request) { delete request; }

int cohort_persistent_start(cohort_persistent* persistent, cohort_request** request) {
  return c::guarded("cohort_persistent_start", [&](const Where& where) {
    c::existing(persistent, "the persistent call", where);
    cohort_request*& place = c::existing(request, "the place for the request", where);  // before anything is started
    place = new cohort_request{persistent->call.start()};
  });
}

void cohort_persistent_free(cohort_persistent* persistent) { delete persistent; }
