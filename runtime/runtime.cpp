#include "runtime/runtime.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/develop/farewell.hpp"
#include "runtime/faults/faulty_transport.hpp"
#include "runtime/group_state.hpp"
#include "runtime/pending.hpp"
#include "runtime/progress_thread.hpp"
#include "runtime/watcher.hpp"

namespace cohort::detail {
namespace {

using namespace std::chrono_literals;

constexpr int polls_between_looks = 256;
constexpr std::size_t most_complaints = 50;  // that are told of
constexpr Nanoseconds verdict_limit = 20s;   // for the launcher to say why a link broke: it has bounds of its own

// By pid: the hosts are numbered as they come.
std::vector<Rank> hosts_of(const Job& job) {
  std::map<std::string, Rank> numbers;
  std::vector<Rank> hosts;
  for (const ProcessAddress& process : job.processes) {
    hosts.push_back(numbers.try_emplace(process.host, static_cast<Rank>(numbers.size())).first->second);
  }
  return hosts;
}

}  // namespace

Runtime::Runtime(Job job, std::unique_ptr<Transport> transport, std::unique_ptr<ControlLink> control)
    : job_(std::move(job)),
      hosts_(hosts_of(job_)),
      transport_(std::move(transport)),
      control_(std::move(control)),
      messenger_(
          *transport_, job_.me, job_.ranks(),
          {[this](Pid peer, const std::string& cause) {
             perform(failures_.link_broke(peer, cause, transport_->now()));
           },
           [this](ToldFailure told) { perform(failures_.told(std::move(told))); },
           [this](Pid from, const GroupId& setup, std::string words) {
             if (!job_.develop) return;
             if (words.empty()) return lists_.is_waited_for(from, setup);
             lists_.theirs(from, {setup, std::move(words)});
           },
           [this](Pid by, const FrameHeader& question) {
             const bool in_collective = question.channel == Channel::collective;
             presence_.asked({by, question.group, in_collective ? question.tag : 0, question.call, question.length});
           },
           [this](Pid peer, const GroupId& id, bool left_job) { absent(peer, id, left_job); },
           [this](const GroupId& id) { return can_exist(id); },
           [this](const GroupId& id, Pid pid) { return describe(id, pid); }},
          job_.credit > 0 ? job_.credit : Messenger::window_for(job_.ranks())),
      idling_(job_.cores, job_.crowded, job_.me),
      receive_order_(job_.replay),
      failures_({.me = job_.me, .has_launcher = control_ != nullptr, .verdict_limit = verdict_limit + job_.host_limit}),
      presence_(job_.ranks()) {
  entries_seen_at_ = transport_->now();
  inject(job_.faults);
  if (control_ && control_->needs_listener()) {
    watcher_ = std::make_unique<Watcher>(*this, *control_);
    transport_->hold_back([this] { watcher_->flush_soon(); });
  }
  if (job_.progress_thread) progress_thread_ = std::make_unique<ProgressThread>(*this);
}

Runtime::~Runtime() {
  progress_thread_.reset();
  watcher_.reset();
  if (left_) return;
  transport_->flush();
  sever_all();  // it does not leave in order: nobody is waited for
  close_transport();
}

bool Runtime::can_exist(const GroupId& group) const {
  if (group.pid < 0 || group.pid >= job_.ranks()) return false;
  if (group.derivation != 0) return true;
  if (group.counter == 0) return group == GroupId{};
  return group.pid != job_.me || group.counter < next_counter_.load();
}

void Runtime::add(GroupState& group) {
  const Lock lock(*this);
  groups_.insert(&group);
  for (const ToldFailure& told : failures_.made(group.id(), group.members())) fail(group, told);
}

void Runtime::remove(GroupState& group) {
  const Lock lock(*this);
  if (job_.develop) look_back(group);
  groups_.erase(&group);
  failures_.let_go(group.id());
  presence_.let_go(group.id(), group.fault());
}

void Runtime::begin(Pending& pending) {
  if (faulty_ != nullptr) faulty_->called(pending.describe().operation);
  pending.begin();
  if (!messenger_.dispatch()) return;
  // What could be done at once has ended, maybe also what other threads wait for; the driver may be asleep.
  release_driver();
  if (followers_ > 0) changed_.notify_all();
}

bool Runtime::drive_once(Pid expected) {
  bool moved = transport_->poll(expected);
  moved = messenger_.dispatch() || moved;
  if (!moved) messenger_.settle_credit();
  if (++polls_ % polls_between_looks == 0) look_around();
  if (moved && followers_ > 0) changed_.notify_all();
  return moved;
}

void Runtime::sleep(std::unique_lock<std::mutex>& lock) {
  const Nanoseconds limit = look_interval();
  answer_askers();
  if (driver_->over()) return;
  const Nanoseconds start = transport_->now();
  if (driver_->since == Nanoseconds(0)) driver_->since = start;
  lock.unlock();
  transport_->wait(limit);
  lock.lock();
  const Nanoseconds now = transport_->now();
  if (now - start >= limit) look_for_mistakes();  // nothing has happened meanwhile
  if (now - asked_at_ >= limit) {
    asked_at_ = now;
    ask_the_absent(now, limit);
  }
  if (now - driver_->since >= limit) look_for_silence(now);
  look_around();
  if (followers_ > 0) changed_.notify_all();  // one of them may wait for all to leave
}

void Runtime::wait(Lock& entered, Wait& wait) {
  if (wait.over()) return drive_in_passing();
  std::unique_lock<std::mutex>& lock = entered.lock();
  wait.number = ++waits_begun_;
  waits_.add(wait);
  while (!wait.over()) {
    if (driver_ != nullptr || left_) {  // whoever leaves ends everything
      if (wait.since == Nanoseconds(0)) wait.since = transport_->now();
      ++followers_;
      release_driver();  // the progress thread gives way
      changed_.wait(lock);
      --followers_;
      continue;
    }
    driver_ = &wait;
    try {
      drive(lock, wait);
    } catch (const std::exception& error) {
      if (is_fork()) throw;  // made by an operator
      if (!lock.owns_lock()) lock.lock();
      broke(error);
    }
    driver_ = nullptr;
    if (followers_ > 0) changed_.notify_all();
  }
  waits_.remove(wait);
  answer_askers();  // or they would wait for as long as the program computes
  ++entries_;
  if (progress_thread_) rouse_progress_thread();
}

// The driver holds the mutex while it is awake, and would get it back at once. Threads that come get some time to take
// it.
void Runtime::let_others_in(std::unique_lock<std::mutex>& lock) {
  if (followers_ == 0 && entering_.load(std::memory_order_relaxed) == 0) return;
  lock.unlock();
  std::this_thread::yield();
  for (int i = 0; i < 100 && entering_.load(std::memory_order_relaxed) > 0; ++i) std::this_thread::yield();
  lock.lock();
}

void Runtime::drive(std::unique_lock<std::mutex>& lock, Wait& wait) {
  for (; !wait.over() && !left_; let_others_in(lock)) {
    if (drive_once(wait.expected())) {
      idling_.moved();
      continue;
    }
    if (wait.over()) return;
    if (!idling_.looks_again()) sleep(lock);
  }
}

namespace {

class WaitForOne final : public Wait {
 public:
  explicit WaitForOne(Pending& pending) : pending_(pending) {}
  bool over() const override { return pending_.ended(); }
  Pid expected() const override { return pending_.waits_for(); }
  void each_awaited(const std::function<void(Pending&)>& visit) const override { visit(pending_); }

 private:
  Pending& pending_;
};

}  // namespace

void Runtime::wait(Lock& lock, Pending& pending) {
  WaitForOne one(pending);
  wait(lock, one);
}

void Runtime::wait_until(Lock& lock, const std::function<bool()>& done, std::string what) {
  WaitUntil until(done, std::move(what));
  wait(lock, until);
}

void Runtime::give_up(Pending& pending, const std::string& why) {
  Lock lock(*this);
  if (!pending.ended()) {
    const std::string who = pending.group().describe(job_.me);
    pending.give_up(std::make_shared<const Fault>(Fault{ErrorCode::internal, fmt::format("{} {}", who, why)}));
  }
  pending.may_have_ended();
  wait(lock, pending);
}

void Runtime::drop(Pending& pending) {
  Lock lock(*this);
  if (!pending.ended() && !left_) {
    complain(pending.name() + " was dropped before it was complete");
    const std::string who = pending.group().describe(job_.me);
    pending.group().break_off(
        std::make_shared<const Fault>(Fault{ErrorCode::argument, fmt::format("{} by {}", complaints_.back(), who)}),
        -1);
  }
  wait(lock, pending);
}

void Runtime::for_each_pending(const std::function<void(const Pending&)>& visit) const {
  for (const GroupState* group : groups_) group->for_each_pending(visit);
}

void Runtime::leave() {
  Lock entered(*this);
  if (control_) {
    if (std::exchange(leaving_, true)) return;
    control_->leave();
    if (!job_.develop) presence_.leave();  // in develop mode that is a call that others agree on
    const auto ends_early = [&] { return failures_.broken() || (!job_.goes_on && failures_.has_lost_somebody()); };
    wait_until(entered, [&] { return control_->all_left() || ends_early(); });
    try {
      while (driver_ == nullptr && !ends_early() && transport_->poll(-1)) messenger_.dispatch();
    } catch (const std::exception& error) {
      broke(error);
    }
    for (const GroupState* group : groups_) {
      Pid caller = -1;
      if (const FaultPointer fault = group->unwanted_message(caller)) complain(fault->cause);
    }
  }
  if (std::exchange(left_, true)) return;
  failures_.leave();
  transport_->wake();  // a driver gives way
  while (driver_ != nullptr) {
    ++followers_;
    changed_.wait(entered.lock());
    --followers_;
  }
  close_transport();
  end_all(std::make_shared<const Fault>(Fault{ErrorCode::left, "this process has left the job"}));
  if (const FaultPointer& broken = failures_.broken()) throw error_of(*broken, broken->cause, -1);
  if (complaints_.empty()) return;
  const std::size_t more = complaints_.size() - std::min(complaints_.size(), most_complaints);
  complaints_.resize(complaints_.size() - more);
  if (more > 0) complaints_.push_back(fmt::format("and {} more", more));
  throw Error(ErrorCode::mismatch, fmt::format("{}", fmt::join(complaints_, "; ")));
}

void Runtime::confess(const std::string& what) {
  if (!control_ || !control_->tell_mistake(what)) fmt::print(stderr, "cohort: leaving the job: {}\n", what);
}

void Runtime::warn(const std::string& what) {
  if (control_) fmt::print(stderr, "cohort: {}\n", what);
}

void Runtime::took(const Taken& taken) {
  if (job_.record && control_) control_->tell_taken(taken);
}

std::string Runtime::describe(const GroupId& id, Pid pid) const {
  const auto group = std::ranges::find(groups_, id, &GroupState::id);
  return group != groups_.end() ? (*group)->describe(pid) : describe(pid);
}

std::string Runtime::describe(Pid pid) const { return fmt::format("pid {}, {}", pid, job_.address(pid).host); }

}  // namespace cohort::detail
