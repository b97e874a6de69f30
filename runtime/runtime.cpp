// SPDX-License-Identifier: Apache-2.0
#include "runtime/runtime.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/calls/pending.hpp"
#include "runtime/calls/run_mode.hpp"
#include "runtime/drive/progress_thread.hpp"
#include "runtime/drive/watcher.hpp"
#include "runtime/faults/faulty_transport.hpp"
#include "runtime/groups/group_state.hpp"
#include "runtime/heard_frames.hpp"

namespace cohort::detail {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds verdict_limit = 20s;  // for the launcher to say why a link broke; it has limits of its own

}  // namespace

Runtime::Runtime(Job job, std::unique_ptr<Transport> transport, std::unique_ptr<ControlLink> control,
                 std::unique_ptr<Mode> mode)
    : job_((job.number_hosts(), std::move(job))),
      transport_(std::move(transport)),
      control_(std::move(control)),
      messenger_(*transport_, job_.me, job_.ranks(),
                 {[this](Pid peer, const std::string& cause) {
                    perform(failures_.link_broke(peer, cause, transport_->now()));
                  },
                  [this](Pid from, frames::Control frame) { hear(from, std::move(frame)); },
                  [this](const FrameHeader& control) {
                    return frames::is_valid_control(control, job_.ranks(), [this](const GroupId& id) {
                      return groups_.can_exist(id, job_.me, job_.ranks());
                    });
                  },
                  [this](const GroupId& id) { return groups_.can_exist(id, job_.me, job_.ranks()); },
                  [this](const GroupId& id, Pid pid) { return describe(id, pid); }},
                 job_.credit > 0 ? job_.credit : Messenger::window_for(job_.ranks())),
      driver_(*this, Idling(job_.cores, job_.crowded, job_.me)),
      mode_(mode ? std::move(mode) : std::make_unique<RunMode>()),
      failures_({.me = job_.me, .has_launcher = control_ != nullptr, .verdict_limit = verdict_limit + job_.host_limit}),
      presence_(job_.ranks()) {
  driver_.waits().away(transport_->now());
  inject(job_.faults);
  if (control_ && control_->needs_listener()) {
    threads_.watcher = std::make_unique<Watcher>(*this, *control_);
    if (Batching* const batching = transport_->batching())
      batching->hold_back([this] { threads_.watcher->flush_soon(); });
  }
  if (job_.progress_thread) threads_.progress = std::make_unique<ProgressThread>(driver_);
}

Runtime::~Runtime() {
  threads_.progress.reset();
  {
    const Look look(*this);
    if (Batching* const batching = transport_->batching()) batching->hold_back({});  // the watcher goes
  }
  threads_.watcher.reset();
  if (left()) return;
  if (Batching* const batching = transport_->batching()) batching->flush();
  disconnect_all();  // this process does not leave in order: it waits for nobody
  close_transport();
}

void Runtime::add(GroupState& group) {
  const Lock lock(*this);
  groups_.add(group);
  for (const ToldFailure& told : failures_.made(group.id(), group.members())) fail(group, told);
}

void Runtime::remove(GroupState& group) {
  const Lock lock(*this);
  mode_->let_go(group);
  groups_.remove(group);
  failures_.let_go(group.id());
  presence_.let_go(group.id(), group.fault());
}

void Runtime::begin(Pending& pending, Looks& looks) {
  if (faulty_ != nullptr) faulty_->called(pending.describe().operation);
  pending.begin(looks);
  if (!messenger_.dispatch()) return;
  driver_.moved();  // operations that could finish at once have ended, maybe also some that other threads wait for
}

void Runtime::begin_alone(Pending& pending) {
  driver_.started();
  pending.hold();
  begin(pending);
  pending.may_have_ended();
  driver_.rouse_progress_thread();
  driver_.in_passing();
}

bool Runtime::move(Pid expected) {
  bool moved = transport_->poll(expected);
  moved = messenger_.dispatch() || moved;
  if (!moved) messenger_.settle_credit();
  return moved;
}

void Runtime::progress(Pending* polled) {
  bool moved = false;
  {
    const Lock lock(*this);
    if (left()) return;
    // In virtual time, which no thread can sleep in, only that time may decide anything.
    const bool virtual_time = transport_->pollable() == nullptr;
    const Nanoseconds tick = virtual_time ? transport_->now() : coarse_now();
    driver_.guard([&] {
      const bool drives = !driver_.drives();  // if not, another thread drives
      moved = driver_.once();
      if (!moved && polled != nullptr && std::exchange(polled->looked_in, tick) != tick) look_as_if_waiting(*polled);
      if (drives && std::exchange(last_looks_.around, tick) != tick) look_around();
    });
    messenger_.dispatch();
    if (!virtual_time) last_looks_.in_vain.looked(moved, LooksInVain::time_stamp());
  }
  if (!moved && job_.crowded)
    std::this_thread::yield();  // a caller that polls in a loop may keep other processes of this host from running
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

void Runtime::cancel(Pending& pending, const std::string& why) {
  Lock lock(*this);
  if (!pending.ended()) {
    const std::string who = pending.group().describe(job_.me);
    pending.cancel(std::make_shared<const Fault>(Fault{ErrorCode::internal, fmt::format("{} {}", who, why)}));
  }
  pending.may_have_ended();
  wait(lock, pending);
}

void Runtime::request_dropped(Pending& pending) {
  Lock lock(*this);
  if (!pending.ended() && !left()) {
    mistakes_.own.add(pending.name() + " was dropped before it was complete");
    const std::string who = pending.group().describe(job_.me);
    pending.group().fail_and_tell(
        std::make_shared<const Fault>(Fault{ErrorCode::argument, fmt::format("{} by {}", mistakes_.own.latest(), who)}),
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
    if (stay_ != Stay::in_job) return;
    stay_ = Stay::leaves;
    control_->leave();
    if (!mode_->habits.agrees) presence_.leave();
    const auto ends_early = [&] { return failures_.broken() || (!job_.goes_on && failures_.has_lost_somebody()); };
    wait_until(entered, [&] { return control_->all_left() || ends_early(); });
    driver_.guard([&] {
      while (!driver_.drives() && !ends_early() && transport_->poll(-1)) messenger_.dispatch();
    });
    for (const GroupState* group : groups_) {
      Pid caller = -1;
      if (const FaultPointer fault = group->unwanted_message(caller)) mistakes_.own.add(fault->cause);
    }
  }
  if (std::exchange(stay_, Stay::left) == Stay::left) return;
  failures_.leave();
  driver_.wait_for_driver(entered.lock());
  close_transport();
  end_all(std::make_shared<const Fault>(Fault{ErrorCode::left, "this process has left the job"}));
  if (const FaultPointer& broken = failures_.broken()) throw error_of(*broken, broken->cause, {});
  mistakes_.own.check();
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
  const GroupState* const group = groups_.find(id);
  return group != nullptr ? group->describe(pid) : describe(pid);
}

std::string Runtime::describe(Pid pid) const { return fmt::format("pid {}, {}", pid, job_.address(pid).host); }

}  // namespace cohort::detail
