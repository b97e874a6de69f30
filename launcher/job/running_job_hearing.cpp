// SPDX-License-Identifier: Apache-2.0
// Messages from the hosts of a job, passed to the part of the job that they concern.
#include <utility>

#include "launcher/host/report.hpp"
#include "launcher/job/running_job.hpp"
#include "runtime/control/taken_message.hpp"
#include "runtime/control/tuning_message.hpp"

namespace cohort {

namespace {

using v1::FromHost;

// The process that a message is about, or from. Nothing for a message about the host.
std::optional<Pid> process_of(const FromHost& message) {
  switch (message.body_case()) {
    case FromHost::kStarted:
      return message.started().pid();
    case FromHost::kOutput:
      return message.output().pid();
    case FromHost::kJoining:
      return message.joining().pid();
    case FromHost::kListens:
      return message.listens().pid();
    case FromHost::kLeft:
      return message.left().pid();
    case FromHost::kDoes:
      return message.does().pid();
    case FromHost::kHasInjected:
      return message.has_injected().pid();
    case FromHost::kTook:
      return message.took().pid();
    case FromHost::kEnded:
      return message.ended().pid();
    case FromHost::kMistaken:
      return message.mistaken().pid();
    case FromHost::kRefuses:
      return message.refuses().pid();
    case FromHost::kSuspects:
      return message.suspects().by();
    case FromHost::kAsksSurvivors:
      return message.asks_survivors().by();
    case FromHost::kCloses:
      return message.closes().pid();
    case FromHost::kBlames:
      return message.blames().by();
    case FromHost::kStalled:
      return message.stalled().pid();
    default:
      return std::nullopt;
  }
}

}  // namespace

void RunningJob::hear(event::FromHost&& event) {
  HostState& host = hosts_.at(event.host);
  FromHost& message = event.message;
  if (host.stage == JobHosts::Stage::lost) return;
  if (const std::optional<Pid> pid = process_of(message)) {
    if (host.plan.has(*pid)) hear_process(event.host, *pid, std::move(message));
    return;
  }
  switch (message.body_case()) {
    case FromHost::kAttached:
      return attached(host, message.attached());
    case FromHost::kNotStarted:
      return not_started(host, message.not_started());
    case FromHost::kInputTaken:
      if (message.input_taken().closed()) commands_.push_back(command::StopInput{});
      return commands_.push_back(command::InputTaken{message.input_taken().bytes()});
    case FromHost::kFinished:
      if (host.stage == JobHosts::Stage::started) host.stage = JobHosts::Stage::finished;
      return finish_if_all_hosts_did();
    case FromHost::kMeasurable: {
      v1::ToHost order;
      *order.mutable_measure()->mutable_meeting() = meeting(origin_, hosts_);
      order.mutable_measure()->set_ip(message.measurable().ip());
      order.mutable_measure()->set_port(message.measurable().port());
      return hosts_.tell(0, std::move(order));
    }
    case FromHost::kMeasured:
      return gathering_.measured(message.measured().has_network() ? std::optional(read(message.measured().network()))
                                                                  : std::nullopt);
    case FromHost::kWarning:
      if (warnings_.insert(message.warning().words()).second) hear(news::Warning{message.warning().words()});
      return;
    case FromHost::kSuspended:
      host.suspended = true;
      if (hosts_.all_suspended() && limits_.cancel(Time::suspend)) commands_.push_back(command::Stop{});
      return;
    case FromHost::kBeat:
      if (message.beat().question() > 0) hear(members_.answered(event.host, message.beat().question(), now_));
      return;
    default:
      return;  // a message of a newer version
  }
}

void RunningJob::hear_process(int number, Pid pid, v1::FromHost&& message) {
  HostState& host = hosts_.at(number);
  switch (message.body_case()) {
    case FromHost::kStarted:
      ++host.started;
      return members_.started(pid, message.started().process());
    case FromHost::kOutput:
      if (phases_.has_processes()) {
        v1::Output& output = *message.mutable_output();
        commands_.push_back(command::Write{number, pid, output.error(), std::move(*output.mutable_data())});
      }
      return;
    case FromHost::kJoining:
      phases_.join();
      if (!members_.roster().anyone_joining() && plan_.join_timeout_s > 0) {
        limits_.begin(Time::join, duration_of(plan_.join_timeout_s), now_.attended);
      }
      return hear(members_.joining(pid, now_));
    case FromHost::kListens: {
      const v1::Listens& said = message.listens();
      gathering_.listens(pid, {host.plan.name, said.ip(), static_cast<std::uint16_t>(said.port()), said.incarnation(),
                               said.shares_memory() ? static_cast<std::uint32_t>(number) + 1 : 0});
      if (!members_.joined(pid)) return;
      limits_.cancel(Time::join);
      return gathering_.complete(now_.attended);
    }
    case FromHost::kLeft:
      return hear(members_.left(pid));
    case FromHost::kDoes: {
      process::v1::Doing& doing = *message.mutable_does()->mutable_doing();
      if (!makes_sense(doing, plan_.ranks)) return;  // our agents pass on no such message
      auto headline = inquiries_.does(pid, std::move(doing), now_.clock);
      if (headline && !phases_.early()) describe(std::move(*headline));
      return;
    }
    case FromHost::kHasInjected: {
      const process::v1::Injected& happened = message.has_injected().injected();
      return faults_.happened(pid, happened.number(), happened.times(), happened.first());
    }
    case FromHost::kTook:
      if (!plan_.record.empty()) read(message.took().taken(), receives_[static_cast<std::size_t>(pid)]);
      return;
    case FromHost::kMistaken:  // the process has left in order, so the job goes on for the others
      if (!escalation_.has_signalled()) record_.mistaken.insert(pid);
      if (!phases_.early())
        last_words_.add(members_.name(pid) + " left the job with a mistake: " + message.mistaken().what());
      return;
    case FromHost::kEnded:
      ++host.ended;
      inquiries_.unable(pid);
      hear(members_.ended(message.ended(), now_));
      return finish_if_ended();
    default:
      return hear(members_.heard(message, now_));
  }
}

void RunningJob::attached(HostState& host, const v1::Attached& message) {
  if (host.stage != JobHosts::Stage::connecting) return;
  host.stage = JobHosts::Stage::attached;
  host.machine = {message.boot(), message.processors(), message.cores(), message.limit()};
  measure_network();
  start_if_attached();
}

void RunningJob::not_started(HostState& host, const v1::NotStarted& message) {
  host.expected = host.started;
  end_early(ended_by::NotStarted{message.status()}, message.reason() + " (host " + host.plan.name + ")");
  finish_if_ended();
}

void RunningJob::lost(int number, const std::string& cause) {
  HostState& host = hosts_.at(number);
  const JobHosts::Stage stage = std::exchange(host.stage, JobHosts::Stage::lost);
  if (stage == JobHosts::Stage::lost) return;
  if (!phases_.has_processes()) {
    end_early(ended_by::Unreachable{}, "host " + host.plan.name + ": " + cause);
  } else if (stage != JobHosts::Stage::finished) {
    for (Pid pid = host.plan.first; pid < host.plan.first + host.plan.count; ++pid) inquiries_.unable(pid);
    hear(members_.lost_host(host.plan, cause, now_));
  }
  host.expected = host.ended;
  finish_if_ended();
  finish_if_all_hosts_did();
}

}  // namespace cohort
