// SPDX-License-Identifier: Apache-2.0
// Events that no message reports, so that waiting threads look for them: reports of the launcher, calls that differ,
// silent links.
#include "runtime/calls/pending.hpp"
#include "runtime/groups/group_state.hpp"
#include "runtime/runtime.hpp"

namespace cohort::detail {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds listening_interval = 250ms;

}  // namespace

Nanoseconds Runtime::look_interval() const { return mode_->habits.look_interval; }

void Runtime::look_around() {
  perform(failures_.look(transport_->now()));
  answer_askers();
  if (!control_ || failures_.broken()) return;
  control_->poll([this](const Failure& failure) { perform(failures_.died(failure)); });
  for (const FaultPlan& plan : control_->asked_faults()) inject(plan);
}

Nanoseconds Runtime::before_pause() {
  answer_askers();  // otherwise askers would wait for as long as the program computes
  return look_interval();
}

void Runtime::after_sleep(const Wait& wait, Nanoseconds since, Nanoseconds limit) {
  const Nanoseconds now = transport_->now();
  if (now - since >= limit) look_for_mistakes();  // nothing has happened during the sleep
  if (now - last_looks_.absence >= limit) {
    last_looks_.absence = now;
    ask_the_absent(now, limit);
  }
  if (now - wait.since >= limit) look_for_silence(now);
}

// A program that polls an operation in a loop waits, too, but never sleeps.
void Runtime::look_as_if_waiting(Pending& polled) {
  if (polled.ended()) return;
  const Nanoseconds now = transport_->now();
  if (polled.looked_at == Nanoseconds(0)) polled.looked_at = now;
  if (now - polled.looked_at < look_interval()) return;
  polled.looked_at = now;
  ask_the_absent(polled);
  if (driver_.drives()) return;  // the driving thread looks for the rest
  if (now - last_looks_.mistakes >= look_interval()) {
    last_looks_.mistakes = now;
    look_for_mistakes();
  }
  look_for_silence(now);
}

void Runtime::look_for_mistakes() {
  for (GroupState* group : groups_) group->look_for_mismatch();
  if (const Pending* pending = all_awaited()) mode_->look(*pending);
}

// The operation that the whole process waits for. There is none if one of several operations would end the wait, or if
// several threads wait: then the process may continue in another way.
const Pending* Runtime::all_awaited() const {
  const Wait* const wait = driver_.waits().only();
  if (wait == nullptr) return nullptr;
  const Pending* awaited = nullptr;
  int operations = 0;
  wait->each_awaited([&](const Pending& pending) {
    awaited = &pending;
    ++operations;
  });
  return operations == 1 ? awaited : nullptr;
}

// Called while a wait is long.
void Runtime::look_for_silence(Nanoseconds now) {
  if (job_.host_limit <= 0ns || now - last_looks_.silence < listening_interval) return;
  last_looks_.silence = now;
  Liveness* const liveness = transport_->liveness();
  if (liveness == nullptr) return;
  for (const Pid peer : liveness->silent(job_.silence_limit()))
    perform(failures_.link_broke(peer, "it does not answer (--host-limit)", now));
}

}  // namespace cohort::detail
