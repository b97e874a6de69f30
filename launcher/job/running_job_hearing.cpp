// What the hosts say, and whom it concerns.
#include <utility>

#include "launcher/job/running_job.hpp"
#include "runtime/control/taken_message.hpp"

namespace cohort {

void RunningJob::hear(event::FromHost&& event) {
  HostState& host = hosts_.at(event.host);
  v1::FromHost& message = event.message;
  if (host.stage == JobHosts::Stage::lost) return;
  using v1::FromHost;
  switch (message.body_case()) {
    case FromHost::kAttached:
      return attached(host, message.attached());
    case FromHost::kNotStarted:
      return not_started(host, message.not_started().status(), message.not_started().reason());
    case FromHost::kInputTaken:
      if (message.input_taken().closed()) commands_.push_back(command::StopInput{});
      return commands_.push_back(command::InputTaken{message.input_taken().bytes()});
    case FromHost::kFinished:
      if (host.stage == JobHosts::Stage::started) host.stage = JobHosts::Stage::finished;
      return finish_if_all_hosts_did();
    case FromHost::kMeasurable:
      return measurable(message.measurable().ip(), message.measurable().port());
    case FromHost::kMeasured:
      return measured(message);
    case FromHost::kWarning:
      if (warnings_.insert(message.warning().words()).second) {
        say("cohort: warning: " + message.warning().words() + "\n");
      }
      return;
    case FromHost::kSuspended:
      return suspended(host);
    case FromHost::kBeat:
      return answered(event.host, message.beat().question());
    default:
      return heard_of_process(event.host, std::move(message));
  }
}

void RunningJob::heard_of_process(int number, v1::FromHost&& message) {
  HostState& host = hosts_.at(number);
  const auto mine = [&](Pid pid) { return host.plan.has(pid); };
  using v1::FromHost;
  switch (message.body_case()) {
    case FromHost::kStarted:
      if (mine(message.started().pid())) started(host, message.started());
      return;
    case FromHost::kOutput:
      if (phases_.has_processes() && mine(message.output().pid())) {
        v1::Output& output = *message.mutable_output();
        commands_.push_back(command::Write{number, output.pid(), output.error(), std::move(*output.mutable_data())});
      }
      return;
    case FromHost::kJoining:
      if (mine(message.joining().pid())) joining(message.joining().pid());
      return;
    case FromHost::kListens:
      if (mine(message.listens().pid())) {
        const v1::Listens& said = message.listens();
        listens(said.pid(), {host.plan.name, said.ip(), static_cast<std::uint16_t>(said.port()), said.incarnation()});
      }
      return;
    case FromHost::kLeft:
      if (mine(message.left().pid())) left(message.left().pid());
      return;
    case FromHost::kDoes:
      if (mine(message.does().pid())) does(message.does().pid(), std::move(*message.mutable_does()->mutable_doing()));
      return;
    case FromHost::kHasInjected:
      if (mine(message.has_injected().pid())) {
        const process::v1::Injected& happened = message.has_injected().injected();
        faults_.happened(message.has_injected().pid(), happened.number(), happened.times(), happened.first());
      }
      return;
    case FromHost::kTook:
      if (mine(message.took().pid()) && !plan_.record.empty()) {
        read(message.took().taken(), receives_[static_cast<std::size_t>(message.took().pid())]);
      }
      return;
    case FromHost::kEnded:
      if (mine(message.ended().pid())) ended(host, message.ended());
      return;
    default:
      return heard_of_trouble(host, message);
  }
}

void RunningJob::heard_of_trouble(const HostState& host, const v1::FromHost& message) {
  const auto mine = [&](Pid pid) { return host.plan.has(pid); };
  using v1::FromHost;
  switch (message.body_case()) {
    case FromHost::kMistaken:
      if (mine(message.mistaken().pid())) mistaken(message.mistaken().pid(), message.mistaken().what());
      return;
    case FromHost::kRefuses:
      if (mine(message.refuses().pid())) refused(message.refuses());
      return;
    case FromHost::kSuspects:
      if (mine(message.suspects().by())) suspects(message.suspects().by(), message.suspects().suspect());
      return;
    case FromHost::kAsksSurvivors:
      if (mine(message.asks_survivors().by())) {
        asks_survivors(message.asks_survivors().by(), message.asks_survivors().question());
      }
      return;
    case FromHost::kCloses:
      if (mine(message.closes().pid())) closes(message.closes());
      return;
    case FromHost::kBlames:
      if (mine(message.blames().by())) blames(message.blames());
      return;
    case FromHost::kStalled:
      if (mine(message.stalled().pid())) stalled(message.stalled());
      return;
    default:
      return;  // something newer
  }
}

// --- processes that come and go

void RunningJob::started(HostState& host, const v1::Started& message) {
  ++host.started;
  roster_.started(message.pid(), message.process());
}

void RunningJob::joining(Pid pid) {
  phases_.join();
  if (!roster_.anyone_joining() && plan_.join_timeout_s > 0) {
    limits_.begin(Time::join, duration_of(plan_.join_timeout_s), now_.attended);
  }
  if (const auto absent = roster_.joining(pid)) {
    fail({.pid = absent->pid, .cause = FailureCause::exit, .words = absent->cause}, 1);
  }
}

void RunningJob::left(Pid pid) {
  roster_.left(pid);
  gone({pid});
}

// They have left, or are lost, together: nobody waits for them any more.
void RunningJob::gone(const std::vector<Pid>& pids) {
  for (const Survivors::Answer& answer : survivors_.gone(pids)) tell(answer);
  if (!roster_.all_left()) return;
  v1::ToHost message;
  message.mutable_all_left();
  tell_all(std::move(message));
}

}  // namespace cohort
