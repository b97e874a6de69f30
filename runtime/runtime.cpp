#include "runtime/runtime.hpp"

#include <fmt/format.h>

#include <utility>

#include "runtime/group_state.hpp"
#include "runtime/pending.hpp"

namespace cohort::detail {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds spin_time = 50us;    // about what a sleep and a wake-up cost twice over
constexpr Nanoseconds longest_sleep = 1s;  // the control link is looked at at least this often
constexpr Nanoseconds verdict_time = 1s;   // for the launcher to say why a link broke
constexpr int polls_between_control_polls = 256;

// A process that spins takes a core from its neighbours where there are more processes than cores.
Nanoseconds spin_time_for(const Job& job) { return job.processes_on_host <= job.cores ? spin_time : Nanoseconds{0}; }

}  // namespace

Runtime::Runtime(Job job, std::unique_ptr<Transport> transport, std::unique_ptr<ControlLink> control)
    : job_(std::move(job)),
      transport_(std::move(transport)),
      control_(std::move(control)),
      messenger_(*transport_, job_.me, job_.ranks(), [this](Pid peer, const std::string& cause) { lost(peer, cause); }),
      spin_(spin_time_for(job_)) {
  if (control_ && control_->descriptor() >= 0) transport_->watch(control_->descriptor());
}

Runtime::~Runtime() {
  if (!left_) transport_->close();
}

void Runtime::add(GroupState& group) {
  const Lock lock(*this);
  groups_.insert(&group);
  for (const auto& [pid, fault] : dead_) {
    if (group.members().rank_of(pid)) group.fail(fault, pid);
  }
}

void Runtime::remove(GroupState& group) {
  const Lock lock(*this);
  groups_.erase(&group);
}

bool Runtime::drive_once(Pid expected) {
  bool moved = transport_->poll(expected);
  moved = messenger_.dispatch() || moved;
  if (control_ && ++polls_ % polls_between_control_polls == 0) poll_control();
  if (!suspects_.empty()) check_suspects();
  if (moved && followers_ > 0) changed_.notify_all();
  return moved;
}

void Runtime::poll_control() {
  control_->poll([this](const Failure& failure) { failed(failure); });
}

void Runtime::sleep(std::unique_lock<std::mutex>& lock) {
  const Nanoseconds limit = suspects_.empty() ? longest_sleep : verdict_time / 20;
  lock.unlock();
  transport_->wait(limit);
  lock.lock();
  if (control_) poll_control();
}

void Runtime::wait_until(const std::function<bool()>& done, const std::function<Pid()>& expected) {
  Lock entered(*this);
  std::unique_lock<std::mutex>& lock = entered.lock();
  while (!done()) {
    if (driving_) {
      ++followers_;
      changed_.wait(lock);
      --followers_;
      continue;
    }
    driving_ = true;
    try {
      drive(lock, done, expected);
    } catch (...) {
      driving_ = false;
      changed_.notify_all();
      throw;
    }
    driving_ = false;
    if (followers_ > 0) changed_.notify_all();
  }
}

void Runtime::drive(std::unique_lock<std::mutex>& lock, const std::function<bool()>& done,
                    const std::function<Pid()>& expected) {
  Nanoseconds spin_until{0};
  while (!done()) {
    if (drive_once(expected())) {
      spin_until = Nanoseconds{0};
      continue;
    }
    if (done()) return;
    if (spin_ > Nanoseconds{0}) {
      const Nanoseconds now = transport_->now();
      if (spin_until == Nanoseconds{0}) spin_until = now + spin_;
      if (now < spin_until) {
        if (entering_.load(std::memory_order_relaxed) > 0) {  // another thread wants in
          lock.unlock();
          std::this_thread::yield();
          lock.lock();
        }
        continue;
      }
    }
    sleep(lock);
    spin_until = Nanoseconds{0};
  }
}

void Runtime::wait(Pending& pending) {
  wait_until([&] { return pending.ended(); }, [&] { return pending.waits_for(); });
}

void Runtime::progress() {
  const Lock lock(*this);
  if (driving_) return;  // another thread does it
  while (drive_once(-1)) {
  }
  if (control_) poll_control();
}

void Runtime::lost(Pid peer, const std::string& cause) {
  if (dead_.contains(peer) || left_) return;
  if (!control_) return fail(peer, "was lost: " + cause);
  suspects_.try_emplace(peer, Suspect{"was lost: " + cause, transport_->now()});
}

void Runtime::failed(const Failure& failure) { fail(failure.pid, failure.cause); }

void Runtime::fail(Pid peer, const std::string& cause) {
  suspects_.erase(peer);
  if (dead_.contains(peer)) return;
  const auto fault = std::make_shared<const Fault>(Fault{ErrorCode::peer_lost, cause});
  dead_.emplace(peer, fault);
  messenger_.fail_peer(peer, fault);
  for (GroupState* group : groups_) {
    if (group->members().rank_of(peer)) group->fail(fault, peer);
  }
  if (followers_ > 0) changed_.notify_all();
}

void Runtime::check_suspects() {
  const Nanoseconds now = transport_->now();
  for (auto suspect = suspects_.begin(); suspect != suspects_.end();) {
    const auto [pid, reason] = *suspect++;
    if (now - reason.since >= verdict_time) fail(pid, reason.cause);
  }
}

void Runtime::leave() {
  if (control_) {
    {
      const Lock lock(*this);
      if (std::exchange(leaving_, true)) return;
      control_->leave();
    }
    wait_until([&] { return control_->all_left() || !dead_.empty(); }, [] { return -1; });
  }
  const Lock lock(*this);
  if (std::exchange(left_, true)) return;
  transport_->close();
}

std::string Runtime::describe(Pid pid) const { return fmt::format("pid {}, {}", pid, job_.address(pid).host); }

}  // namespace cohort::detail
