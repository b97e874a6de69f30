// What no message tells of, and whoever waits looks for: the launcher's word, calls that differ, links that are silent.
#include "runtime/group_state.hpp"
#include "runtime/pending.hpp"
#include "runtime/runtime.hpp"

namespace cohort::detail {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds listening_interval = 250ms;

}  // namespace

Nanoseconds Runtime::look_interval() const { return job_.develop ? 20ms : 250ms; }

void Runtime::look_around() {
  perform(failures_.look(transport_->now()));
  answer_askers();
  if (!control_ || failures_.broken()) return;
  control_->poll([this](const Failure& failure) { perform(failures_.died(failure)); });
  for (const FaultPlan& plan : control_->asked_faults()) inject(plan);
}

// A program that asks again and again whether an operation has ended waits, too, and never sleeps.
void Runtime::look_as_if_waiting(Pending& polled) {
  if (polled.ended()) return;
  const Nanoseconds now = transport_->now();
  if (polled.looked_at == Nanoseconds(0)) polled.looked_at = now;
  if (now - polled.looked_at < look_interval()) return;
  polled.looked_at = now;
  ask_the_absent(polled);
  if (driver_ != nullptr) return;  // its thread looks for the rest
  if (now - looked_at_ >= look_interval()) {
    looked_at_ = now;
    look_for_mistakes();
  }
  look_for_silence(now);
}

void Runtime::look_for_mistakes() {
  for (GroupState* group : groups_) group->look_for_mismatch();
  if (const Pending* pending = all_awaited(); pending != nullptr && job_.develop) look_for_other_list(*pending);
}

// Operations of which one has to end, and waits of other threads, may let the process go on in other ways.
const Pending* Runtime::all_awaited() const {
  if (waits_.first() == nullptr || waits_.first()->later != nullptr) return nullptr;
  const Pending* awaited = nullptr;
  int operations = 0;
  waits_.first()->each_awaited([&](const Pending& pending) {
    awaited = &pending;
    ++operations;
  });
  return operations == 1 ? awaited : nullptr;
}

// While a wait is long.
void Runtime::look_for_silence(Nanoseconds now) {
  if (job_.host_limit <= 0ns || now - listened_at_ < listening_interval) return;
  listened_at_ = now;
  for (const Pid peer : transport_->silent(job_.silence_limit()))
    perform(failures_.link_broke(peer, "it does not answer (--host-limit)", now));
}

}  // namespace cohort::detail
