// One host's part in what its processes and the launcher say to each other: every process is greeted first.
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "launcher/host/endings.hpp"
#include "launcher/host/local_host.hpp"
#include "proto/control.pb.h"

namespace cohort {

// Of this host; or null.
LocalProcess* LocalHost::find(Pid pid) {
  const auto process = std::ranges::find(processes_, pid, &LocalProcess::pid);
  return process == processes_.end() ? nullptr : &*process;
}

void LocalHost::hear(LocalProcess& process, const process::v1::FromProcess& message) {
  using process::v1::FromProcess;
  if (message.body_case() == FromProcess::kHello) {
    if (!process.greeted) {
      process.joined_as = static_cast<pid_t>(message.hello().process());
      watch_member(process);
    }
    return welcome(process, message.hello().version());
  }
  if (!process.greeted) return refuse(process, "it spoke before it said hello");
  if (message.body_case() == FromProcess::kDoing) return hear_doing(process, message);
  if (message.body_case() == FromProcess::kInjected) return hear_injected(process, message.injected());
  v1::FromHost report;
  if (message.body_case() == FromProcess::kListening) {
    v1::Listens& listens = *report.mutable_listens();
    listens.set_pid(process.pid);
    listens.set_ip(settings_.listen_at.ip);
    listens.set_port(message.listening().port());
    listens.set_incarnation(message.listening().incarnation());
  } else if (message.body_case() == FromProcess::kLeave) {
    process.left = true;
    report.mutable_left()->set_pid(process.pid);
  } else if (message.body_case() == FromProcess::kSuspect) {
    report.mutable_suspects()->set_by(process.pid);
    *report.mutable_suspects()->mutable_suspect() = message.suspect();
  } else if (message.body_case() == FromProcess::kAskSurvivors) {
    report.mutable_asks_survivors()->set_by(process.pid);
    *report.mutable_asks_survivors()->mutable_question() = message.ask_survivors();
  } else if (message.body_case() == FromProcess::kMistake) {
    report.mutable_mistaken()->set_pid(process.pid);
    report.mutable_mistaken()->set_what(message.mistake().what());
  } else if (message.body_case() == FromProcess::kBlame) {
    report.mutable_blames()->set_by(process.pid);
    *report.mutable_blames()->mutable_blame() = message.blame();
  } else if (message.body_case() == FromProcess::kTaken) {
    report.mutable_took()->set_pid(process.pid);
    *report.mutable_took()->mutable_taken() = message.taken();
  } else {
    return;  // something newer
  }
  emit(std::move(report));
}

void LocalHost::welcome(LocalProcess& process, const std::string& version) {
  if (process.left) {
    return refuse(process,
                  "this rank has joined the job and left it already: of the programs that a rank runs, one can join");
  }
  if (process.greeted) return refuse(process, "a second process tried to join the job in its place");
  if (version != COHORT_VERSION) {
    return refuse(process, "it has version " + version + " of the library, and the launcher here is of version " +
                               COHORT_VERSION);
  }
  process.greeted = true;
  welcome_->mutable_welcome()->set_pid(process.pid);
  welcome_->mutable_welcome()->clear_taken();
  for (const v1::Took& took : replay_) {
    if (took.pid() == process.pid) *welcome_->mutable_welcome()->add_taken() = took.taken();
  }
  process.link->send(make_frame(*welcome_));
  for (const SharedFrame& failure : failures_) process.link->send(failure);
  v1::FromHost report;
  report.mutable_joining()->set_pid(process.pid);
  emit(std::move(report));
}

void LocalHost::refuse(LocalProcess& process, const std::string& reason) {
  process::v1::ToProcess answer;
  answer.mutable_refused()->set_reason("the job refuses this process: " + reason);
  process.link->send(make_frame(answer));
  v1::FromHost report;
  report.mutable_refuses()->set_pid(process.pid);
  report.mutable_refuses()->set_reason(reason);
  emit(std::move(report));
}

// Of another process than its child nobody else tells that it has ended: the child holds the link open.
void LocalHost::watch_member(LocalProcess& process) {
  if (process.member() == process.process) return;
  const auto descriptor = static_cast<int>(::syscall(SYS_pidfd_open, process.member(), 0));
  if (descriptor < 0) return;
  process.member_end.emplace(loop_, descriptor)
      .async_wait(asio::posix::stream_descriptor::wait_read, [this, &process](const asio::error_code& error) {
        if (!error) look_at(process);
      });
}

// What it has said is heard first: whether it has left.
void LocalHost::look_at(LocalProcess& process) {
  if (!process.running) return;
  process.link->read();
  if (!process.member_end) return;
  pollfd end{process.member_end->native_handle(), POLLIN, 0};
  if (::poll(&end, 1, 0) == 1) closed(process, /*ended=*/true);
}

void LocalHost::closed(LocalProcess& process, bool ended) {
  if (!process.running || !process.greeted || process.left || process.member_end_told) return;
  process.member_end_told = ended;
  v1::FromHost report;
  v1::Closes& closes = *report.mutable_closes();
  closes.set_pid(process.pid);
  closes.set_ended(ended);
  if (const auto status = ended ? status_of(process.member(), process.member_end->native_handle()) : std::nullopt) {
    closes.set_status_known(true);
    closes.set_wait_status(*status);
    process.out_of_memory = memory_deaths_->explain(*status, {process.member()});
    closes.set_out_of_memory(process.out_of_memory);
  }
  emit(std::move(report));
}

void LocalHost::tell_processes(const process::v1::ToProcess& message) {
  const SharedFrame frame = make_frame(message);
  for (LocalProcess& process : processes_) {
    if (process.running && process.greeted) process.link->send(frame);
  }
}

}  // namespace cohort
