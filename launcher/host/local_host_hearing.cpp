// SPDX-License-Identifier: Apache-2.0
// Messages from the processes of a host, and the answers. A process must say hello first.
#include <algorithm>
#include <utility>

#include "launcher/host/local_host.hpp"
#include "launcher/host/report.hpp"
#include "launcher/printable.hpp"

namespace cohort {

using process::v1::FromProcess;

void LocalHost::hear(host_event::Said&& event) {
  LocalProcess* const process = find(event.pid);
  if (process == nullptr || !process->runs()) return;
  FromProcess& said = event.message;
  if (said.body_case() == FromProcess::kHello) return greet(*process, said.hello());
  if (!process->greeted()) return refuse(*process, "it spoke before it said hello");
  v1::FromHost message;
  switch (said.body_case()) {
    case FromProcess::kListening: {
      v1::Listens& listens = *message.mutable_listens();
      listens.set_pid(process->pid);
      listens.set_ip(settings_.listen_at.ip);
      listens.set_port(said.listening().port());
      listens.set_incarnation(said.listening().incarnation());
      listens.set_shares_memory(said.listening().shares_memory());
      if (!said.listening().no_memory().empty()) warn_of_no_memory(*process, said.listening().no_memory());
      break;
    }
    case FromProcess::kLeave:
      process->stage = LocalProcess::Stage::left;
      message.mutable_left()->set_pid(process->pid);
      break;
    case FromProcess::kDoing:
      return hear_doing(*process, std::move(*said.mutable_doing()));
    case FromProcess::kInjected:
      act(faults_.begun_by_itself(said.injected().number(), now_));
      message.mutable_has_injected()->set_pid(process->pid);
      message.mutable_has_injected()->mutable_injected()->Swap(said.mutable_injected());
      break;
    case FromProcess::kSuspect:
      message.mutable_suspects()->set_by(process->pid);
      message.mutable_suspects()->mutable_suspect()->Swap(said.mutable_suspect());
      break;
    case FromProcess::kAskSurvivors:
      message.mutable_asks_survivors()->set_by(process->pid);
      message.mutable_asks_survivors()->mutable_question()->Swap(said.mutable_ask_survivors());
      break;
    case FromProcess::kMistake:
      message.mutable_mistaken()->set_pid(process->pid);
      message.mutable_mistaken()->set_what(said.mistake().what());
      break;
    case FromProcess::kBlame:
      message.mutable_blames()->set_by(process->pid);
      message.mutable_blames()->mutable_blame()->Swap(said.mutable_blame());
      break;
    case FromProcess::kTaken:
      message.mutable_took()->set_pid(process->pid);
      message.mutable_took()->mutable_taken()->Swap(said.mutable_taken());
      break;
    default:
      return;  // a message of a newer version
  }
  report(std::move(message));
}

void LocalHost::hear(host_event::SaidNonsense&& event) {
  const LocalProcess* const process = find(event.pid);
  if (process != nullptr && process->runs()) refuse(*process, "its control link carried " + event.reason);
}

void LocalHost::warn_of_no_memory(const LocalProcess& process, const std::string& why) {
  if (std::exchange(told_of_no_memory_, true)) return;
  v1::FromHost message;
  message.mutable_warning()->set_words("rank " + std::to_string(process.pid) + " on " + settings_.name +
                                       " talks to the others of its host over TCP, which takes longer: no memory is "
                                       "shared: " +
                                       on_one_line(why));
  report(std::move(message));
}

void LocalHost::greet(LocalProcess& process, const process::v1::Hello& hello) {
  if (process.stage == LocalProcess::Stage::left) {
    return refuse(process,
                  "this rank has joined the job and left it already: of the programs that a rank runs, one can join");
  }
  if (process.greeted()) return refuse(process, "a second process tried to join the job in its place");
  commands_.push_back(host_command::WatchMember{process.pid, static_cast<pid_t>(hello.process())});
  if (hello.version() != COHORT_VERSION) {
    return refuse(process, "it has version " + hello.version() +
                               " of the library, and the launcher here is of version " + COHORT_VERSION);
  }
  process.stage = LocalProcess::Stage::member;
  process::v1::ToProcess welcome = welcome_;
  welcome.mutable_welcome()->set_pid(process.pid);
  for (const v1::Took& took : replay_) {
    if (took.pid() == process.pid) *welcome.mutable_welcome()->add_taken() = took.taken();
  }
  const process::v1::Welcome& common = welcome_.welcome();
  if (common.processes_on_host() > 1 && common.settings().transport() != process::v1::Settings::TCP) {
    commands_.push_back(host_command::GiveMemory{process.pid});
  }
  commands_.push_back(host_command::Send{{process.pid}, std::move(welcome)});
  for (const process::v1::ToProcess& failure : failures_) {
    commands_.push_back(host_command::Send{{process.pid}, failure});
  }
  v1::FromHost message;
  message.mutable_joining()->set_pid(process.pid);
  report(std::move(message));
}

void LocalHost::refuse(const LocalProcess& process, const std::string& reason) {
  process::v1::ToProcess answer;
  answer.mutable_refused()->set_reason("the job refuses this process: " + reason);
  commands_.push_back(host_command::Send{{process.pid}, std::move(answer)});
  v1::FromHost message;
  message.mutable_refuses()->set_pid(process.pid);
  message.mutable_refuses()->set_reason(reason);
  report(std::move(message));
}

// --- processes that go without leaving

void LocalHost::hear(host_event::LinkClosed&& event) {
  const LocalProcess* const process = find(event.pid);
  if (process == nullptr || process->stage != LocalProcess::Stage::member) return;
  v1::FromHost message;
  message.mutable_closes()->set_pid(event.pid);
  report(std::move(message));
}

void LocalHost::hear(host_event::MemberEnded&& event) {
  LocalProcess* const process = find(event.pid);
  if (process == nullptr || process->stage != LocalProcess::Stage::member) return;
  process->stage = LocalProcess::Stage::bereft;
  v1::FromHost message;
  v1::Closes& closes = *message.mutable_closes();
  closes.set_pid(event.pid);
  closes.set_ended(true);
  closes.set_status_known(event.wait_status.has_value());
  closes.set_wait_status(event.wait_status.value_or(0));
  closes.set_out_of_memory(event.out_of_memory);
  report(std::move(message));
}

// --- what they are doing

void LocalHost::hear_doing(LocalProcess& process, process::v1::Doing&& doing) {
  if (!makes_sense(doing, static_cast<Rank>(welcome_.welcome().ranks()))) {
    return refuse(process, "its answer names calls or ranks that do not exist");
  }
  const bool in_library = !doing.waits().empty();
  if (!stacks_wanted_ || in_library || doing.reason() != process::v1::Doing::ASKED || process.doing) {
    return tell_doing(process.pid, std::move(doing));
  }
  commands_.push_back(host_command::ReadStack{process.pid, doing.process()});
  process.doing = std::move(doing);
}

void LocalHost::hear(host_event::StackRead&& event) {
  LocalProcess* const process = find(event.pid);
  if (process == nullptr || !process->doing) return;
  process->doing->set_stack(std::move(event.lines));
  tell_doing(process->pid, std::move(*process->doing));
  process->doing.reset();
}

// A stopped process can't answer itself.
void LocalHost::hear(host_event::SeenStopped&& event) {
  for (const Pid pid : event.processes) {
    const LocalProcess* const process = find(pid);
    if (process == nullptr || !process->runs()) continue;
    process::v1::Doing doing;
    doing.set_question(event.question);
    doing.set_stopped(true);
    tell_doing(pid, std::move(doing));
  }
}

void LocalHost::tell_doing(Pid pid, process::v1::Doing doing) {
  v1::FromHost message;
  message.mutable_does()->set_pid(pid);
  message.mutable_does()->mutable_doing()->Swap(&doing);
  report(std::move(message));
}

void LocalHost::tell_processes(process::v1::ToProcess message) {
  std::vector<Pid> to;
  for (const LocalProcess& process : processes_) {
    if (process.greeted()) to.push_back(process.pid);
  }
  if (!to.empty()) commands_.push_back(host_command::Send{std::move(to), std::move(message)});
}

}  // namespace cohort
