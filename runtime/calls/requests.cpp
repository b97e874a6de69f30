// SPDX-License-Identifier: Apache-2.0
// Requests, which callers hold of operations in progress, and persistent calls, which make a request at each start.
#include "cohort/request.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "runtime/calls/pending.hpp"
#include "runtime/calls/prepared_call.hpp"
#include "runtime/calls/wait_any.hpp"
#include "runtime/shared_pointers.hpp"

namespace cohort {
namespace {

// Not each time, because another operation may be polled just before this one each time.
bool leaves_out_look(detail::Pending& polled) {
  constexpr unsigned at_most = 15;  // in a row
  return polled.runtime().looked_just_now() && ++polled.left_out % (at_most + 1) != 0;
}

bool ends_now(detail::Pending& pending) {
  pending.runtime().progress(&pending);
  return pending.noted();
}

}  // namespace

Request::Request() = default;
Request::Request(detail::Shared<detail::Pending> pending)
    : pending_(std::move(pending)), exceptions_(std::uncaught_exceptions()) {
  pending_->held_at(this);
}

Request::Request(Request&& other) noexcept
    : pending_(std::move(other.pending_)),
      received_(other.received_),
      source_(other.source_),
      tag_(other.tag_),
      exceptions_(other.exceptions_) {
  if (pending_) pending_->held_at(this);
}

Request& Request::operator=(Request&& other) noexcept {
  Request old(std::move(*this));
  pending_ = std::move(other.pending_);
  received_ = other.received_;
  source_ = other.source_;
  tag_ = other.tag_;
  exceptions_ = other.exceptions_;
  if (pending_) pending_->held_at(this);
  return *this;
}

Request::~Request() {
  if (!pending_ || detail::is_inert()) return;
  try {
    if (std::uncaught_exceptions() > exceptions_) {
      pending_->runtime().cancel(*pending_, "gave it up: an exception passed");
    } else if (!ended() && !ends_now(*pending_)) {
      pending_->runtime().request_dropped(*pending_);
    }
    wait();
  } catch (...) {  // the caller could have had the error from wait()
  }
}

bool Request::test() {
  if (!pending_) return true;
  if (!ended() && (leaves_out_look(*pending_) || !ends_now(*pending_))) return false;
  wait();
  return true;
}

bool Request::ended() const {
  if (!pending_) return true;
  if (detail::is_inert()) pending_->runtime().refuse_entry(__builtin_frame_address(0));
  return pending_->noted();
}

void Request::wait() {
  if (!pending_) return;
  {
    detail::Runtime::Lock lock(pending_->runtime());
    pending_->runtime().wait(lock, *pending_);
    pending_->leave_group();  // before its destructor begins, because other threads look at the group's operations
  }
  const detail::Shared<detail::Pending> ended = std::move(pending_);
  pending_ = nullptr;
  received_ = ended->received();
  source_ = ended->source();
  tag_ = ended->tag();
  if (const std::exception_ptr error = ended->error()) std::rethrow_exception(error);
}

Count Request::received() const { return received_; }
Rank Request::source() const { return source_; }
Tag Request::tag() const { return Tag{tag_}; }

bool Request::cancel() {
  if (!pending_) return false;
  {
    const detail::Runtime::Lock lock(pending_->runtime());
    if (!pending_->cancel_unmet()) return false;
    pending_->leave_group();
  }
  pending_ = nullptr;
  return true;
}

class detail::WaitForAny final : public detail::Wait {
 public:
  explicit WaitForAny(std::span<Request> requests) : requests_(requests) {}

  // The place of a request that has not been waited for; the number of requests if there is none. The search begins at
  // the place that was found last, so that requests that were waited for since are passed over once.
  std::size_t first_open() const {
    if (requests_.empty()) return 0;
    std::size_t& last = requests_.front().open_;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      const std::size_t place = (last + i) % requests_.size();
      if (requests_[place].pending_) return last = place;
    }
    return requests_.size();
  }

  void wait(Runtime& runtime) {
    ended_requests_ = &runtime.driver().ended_requests();
    Runtime::Lock lock(runtime);
    runtime.wait(lock, *this);
    const void* const held_at = first_ended()->held_at.load(std::memory_order_relaxed);
    ended_ = static_cast<std::size_t>(static_cast<const Request*>(held_at) - requests_.data());
  }
  std::size_t ended() const { return ended_; }  // the place of the request that ended first, after wait()

  bool over() const override { return first_ended() != nullptr; }
  void each_awaited(const std::function<void(Pending&)>& visit) const override {
    for (const Request& request : requests_) {
      if (request.pending_) visit(*request.pending_);
    }
  }

 private:
  RequestEnd* first_ended() const {
    return ended_requests_->first_in(requests_.data(), requests_.data() + requests_.size());
  }

  const std::span<Request> requests_;
  EndedRequests* ended_requests_ = nullptr;
  std::size_t ended_ = 0;
};

std::size_t wait_any(std::span<Request> requests) {
  detail::WaitForAny any(requests);
  const std::size_t open = any.first_open();
  if (open == requests.size()) return open;
  any.wait(requests[open].pending_->runtime());
  requests[any.ended()].wait();
  return any.ended();
}

// The requests of another interface lie anywhere, so each is looked at.
class detail::WaitForOneOf final : public detail::Wait {
 public:
  explicit WaitForOneOf(std::span<Request* const> requests) : requests_(requests) {}

  std::size_t first_ended() const {
    return static_cast<std::size_t>(
        std::ranges::find_if(requests_, [](const Request* request) { return request->pending_->ended(); }) -
        requests_.begin());
  }
  std::size_t wait() {
    Runtime& runtime = requests_.front()->pending_->runtime();
    Runtime::Lock lock(runtime);
    runtime.wait(lock, *this);
    return first_ended();
  }

  bool over() const override { return first_ended() < requests_.size(); }
  void each_awaited(const std::function<void(Pending&)>& visit) const override {
    for (const Request* const request : requests_) visit(*request->pending_);
  }

 private:
  const std::span<Request* const> requests_;
};

std::size_t detail::wait_any(std::span<cohort::Request* const> requests) { return WaitForOneOf(requests).wait(); }

void wait_all(std::span<Request> requests) {
  std::exception_ptr first;
  for (Request& request : requests) {
    try {
      request.wait();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

Persistent::Persistent(detail::Shared<detail::PreparedCall> call) : call_(std::move(call)) {}

Request Persistent::start() {
  if (!call_->last.expired()) call_->refuse("it was started again before it was complete");
  std::shared_ptr<detail::Pending> pending = call_->begin();
  if (!pending) return {};  // an exchange with no one
  call_->last = pending;
  return Request(std::move(pending));
}

}  // namespace cohort
