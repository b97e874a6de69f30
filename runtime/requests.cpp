// Requests and persistent calls; how a call becomes an operation in progress.
#include "cohort/request.hpp"

#include <exception>
#include <functional>
#include <optional>
#include <utility>

#include "runtime/develop/farewell.hpp"
#include "runtime/group_state.hpp"
#include "runtime/pending.hpp"
#include "runtime/problem_of.hpp"
#include "runtime/task.hpp"

namespace cohort {
namespace detail {
namespace {

void throw_error_of(const Pending& pending) {
  if (const std::exception_ptr error = pending.error()) std::rethrow_exception(error);
}

void check(const GroupState& group, const Letter* out, const Letter* in) {
  if (out != nullptr) check(group, *out);
  if (in != nullptr) check(group, *in);
}

// Throws if the group has failed, or in develop mode if the memory is in use. Under the mutex.
void check_state(const GroupState& group, const Letter* out, const Letter* in) {
  group.check();
  if (group.runtime().job().develop) check_buffers(group, out, in);
}

std::shared_ptr<Pending> begin_messages(const std::shared_ptr<GroupState>& group, const Letter* out, const Letter* in) {
  check(*group, out, in);
  auto pending = make_own<PendingMessages>(group, out, in);  // outlives the lock: its destructor takes it
  const Runtime::Lock lock(group->runtime());
  check_state(*group, out, in);
  if (group->runtime().job().develop) pending->follow_record();
  group->runtime().begin_alone(*pending);
  return pending;
}

// What outlives a blocking call anyway is not counted: where there are threads, each count is an atomic operation.
template <class T>
std::shared_ptr<T> borrowed(T& object) {
  return {std::shared_ptr<T>(), &object};
}

// Blocking calls take the mutex once, and allocate nothing for themselves.
void complete(Runtime::Lock& lock, Pending& pending) {
  pending.runtime().begin(pending);
  pending.runtime().wait(lock, pending);
  pending.leave_group();
}

Arrival run_messages(const std::shared_ptr<GroupState>& group, const Letter* out, const Letter* in) {
  check(*group, out, in);
  PendingMessages pending(borrowed(*group), out, in);
  {
    Runtime::Lock lock(group->runtime());
    check_state(*group, out, in);
    if (group->runtime().job().develop) pending.follow_record();
    complete(lock, pending);
  }
  throw_error_of(pending);
  return {pending.source(), pending.received()};
}

// This rank's part of a collective whose arguments have been checked. Throws if the group has failed. Under the mutex.
std::shared_ptr<const Schedule> schedule_of(GroupState& group, const Call& call, const Task& task) {
  group.check();
  group.check_alone(call.operation, call.where);
  if (group.runtime().job().develop) check_buffers(group, call);
  // The set-up of a group is no barrier, whatever the job's mode.
  if (call.operation != Operation::group) return group.schedule(task);
  return std::make_shared<const Schedule>(
      group.runtime().choices().choose(task.problem).algorithm->schedule(task.problem, group.me()));
}

// Whether the members agree on the call first. The set-up of a group is no barrier in develop mode either.
bool is_checked(const GroupState& group, Operation operation) {
  return group.runtime().job().develop && operation != Operation::group && group.members().size() > 1;
}

enum class Caller { goes_on, blocks };

std::shared_ptr<Pending> begin(const std::shared_ptr<GroupState>& group, std::shared_ptr<const Call> call,
                               const Task& task, Caller caller) {
  std::shared_ptr<PendingCollective> pending;  // outlives the lock: its destructor takes it
  const Runtime::Lock lock(group->runtime());
  const bool checked = is_checked(*group, call->operation);
  std::shared_ptr<const Schedule> schedule = schedule_of(*group, *call, task);
  if (!checked) {
    pending = make_own<PendingCollective>(group, std::move(call), task.problem, std::move(schedule));
  } else if (call->operation == Operation::leave) {
    pending = make_own<Farewell>(group, std::move(call), task, std::move(schedule));
  } else {
    pending = make_own<CheckedCollective>(group, std::move(call), task, std::move(schedule));
  }
  if (checked && group->runtime().job().synchronous)
    group->runtime().checks().overlaps.called(group->members(), pending->name());
  if (caller == Caller::goes_on) {
    group->runtime().begin_alone(*pending);
  } else {
    group->blocks(*pending);
    group->runtime().begin(*pending);
  }
  return pending;
}

bool sends(const Letter& letter) { return letter.operation == Operation::send; }

}  // namespace

struct PreparedCall {
  std::function<std::shared_ptr<Pending>()> begin;
  std::weak_ptr<Pending> last;
};

void run(const Handle& handle, Call&& call) {
  const std::shared_ptr<GroupState>& group = handle.group;
  const Task task = task_of(handle, call);
  if (group->runtime().job().develop)
    return Request(begin(group, borrowed(std::as_const(call)), task, Caller::blocks)).wait();
  std::optional<PendingCollective> pending;
  {
    Runtime::Lock lock(group->runtime());
    std::shared_ptr<const Schedule> schedule = schedule_of(*group, call, task);
    pending.emplace(borrowed(*group), borrowed(std::as_const(call)), task.problem, std::move(schedule));
    group->blocks(*pending);
    complete(lock, *pending);
  }
  throw_error_of(*pending);
}

Request start(const Handle& handle, Call&& call) {
  const Task task = task_of(handle, call);
  return Request(begin(handle.group, std::make_shared<const Call>(std::move(call)), task, Caller::goes_on));
}

Persistent prepare(const Handle& handle, Call&& call) {
  auto prepared = std::make_shared<PreparedCall>();
  const Task task = task_of(handle, call);
  prepared->begin = [group = handle.group, task, call = std::make_shared<const Call>(std::move(call))] {
    return begin(group, call, task, Caller::goes_on);
  };
  return Persistent(std::move(prepared));
}

Count run(const std::shared_ptr<GroupState>& group, const Letter& letter) {
  return run_messages(group, sends(letter) ? &letter : nullptr, sends(letter) ? nullptr : &letter).count;
}

Arrival run_any(const std::shared_ptr<GroupState>& group, const Letter& letter) {
  return run_messages(group, nullptr, &letter);
}

Request start(const std::shared_ptr<GroupState>& group, const Letter& letter) {
  return Request(begin_messages(group, sends(letter) ? &letter : nullptr, sends(letter) ? nullptr : &letter));
}

Persistent prepare(const std::shared_ptr<GroupState>& group, const Letter& letter) {
  check(*group, letter);
  auto prepared = std::make_shared<PreparedCall>();
  prepared->begin = [group, letter] {
    return begin_messages(group, sends(letter) ? &letter : nullptr, sends(letter) ? nullptr : &letter);
  };
  return Persistent(std::move(prepared));
}

Count run_both(const std::shared_ptr<GroupState>& group, const Letter& out, const Letter& in) {
  return run_messages(group, &out, &in).count;
}

Request start_both(const std::shared_ptr<GroupState>& group, const Letter& out, const Letter& in) {
  return Request(begin_messages(group, &out, &in));
}

}  // namespace detail

Request::Request() = default;
Request::Request(std::shared_ptr<detail::Pending> pending)
    : pending_(std::move(pending)), exceptions_(std::uncaught_exceptions()) {
  pending_->held_at(this);
}

Request::Request(Request&& other) noexcept
    : pending_(std::move(other.pending_)),
      received_(other.received_),
      source_(other.source_),
      exceptions_(other.exceptions_) {
  if (pending_) pending_->held_at(this);
}

Request& Request::operator=(Request&& other) noexcept {
  Request old(std::move(*this));
  pending_ = std::move(other.pending_);
  received_ = other.received_;
  source_ = other.source_;
  exceptions_ = other.exceptions_;
  if (pending_) pending_->held_at(this);
  return *this;
}

Request::~Request() {
  if (!pending_ || detail::is_inert()) return;
  try {
    if (std::uncaught_exceptions() > exceptions_) {
      pending_->runtime().give_up(*pending_, "gave it up: an exception passed");
    } else if (!test()) {
      pending_->runtime().drop(*pending_);
    }
    wait();
  } catch (...) {  // the caller had wait() for that
  }
}

bool Request::test() {
  if (!pending_) return true;
  detail::Runtime& runtime = pending_->runtime();
  runtime.progress(pending_.get());
  {
    const detail::Runtime::Lock lock(runtime);
    if (!pending_->ended()) return false;
  }
  wait();
  return true;
}

void Request::wait() {
  if (!pending_) return;
  {
    detail::Runtime::Lock lock(pending_->runtime());
    pending_->runtime().wait(lock, *pending_);
    pending_->leave_group();  // before its destructor begins: others look at what is in a group
  }
  const std::shared_ptr<detail::Pending> ended = std::move(pending_);
  pending_ = nullptr;
  received_ = ended->received();
  source_ = ended->source();
  detail::throw_error_of(*ended);
}

Count Request::received() const { return received_; }
Rank Request::source() const { return source_; }

class detail::WaitForAny final : public detail::Wait {
 public:
  explicit WaitForAny(std::span<Request> requests) : requests_(requests) {}

  // The place of one that has not been waited for; none: as many as there are. All that have been, since one was found
  // last, are passed over once.
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
    ended_requests_ = &runtime.ended_requests();
    Runtime::Lock lock(runtime);
    runtime.wait(lock, *this);
    const void* const held_at = first_ended()->held_at.load(std::memory_order_relaxed);
    ended_ = static_cast<std::size_t>(static_cast<const Request*>(held_at) - requests_.data());
  }
  std::size_t ended() const { return ended_; }  // the place of the first to end, after wait()

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

Persistent::Persistent(std::shared_ptr<detail::PreparedCall> call) : call_(std::move(call)) {}

Request Persistent::start() {
  if (!call_->last.expired())
    throw Error(ErrorCode::argument, "a persistent call was started again before it was complete");
  std::shared_ptr<detail::Pending> pending = call_->begin();
  call_->last = pending;
  return Request(std::move(pending));
}

}  // namespace cohort
