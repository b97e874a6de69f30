// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/shell/job_shell.hpp"

#include <sys/random.h>

#include <asio/post.hpp>
#include <csignal>
#include <iostream>
#include <stdexcept>
#include <utility>

#include "cohort/error.hpp"
#include "launcher/host/cores.hpp"
#include "launcher/host/signal_settings.hpp"
#include "launcher/network/interfaces.hpp"
#include "launcher/printable.hpp"
#include "launcher/write_file.hpp"

namespace cohort {

namespace {

// Signals that the parent (a shell, nohup) ignores stay ignored.
bool ignored(int number) {
  struct sigaction action {};
  return ::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

JobOrigin origin() {
  JobOrigin origin{.signals = inherited_signals(), .here = this_machine()};
  const auto size = static_cast<ssize_t>(origin.secret.size());
  if (::getrandom(origin.secret.data(), origin.secret.size(), 0) != size ||
      ::getrandom(&origin.id, sizeof origin.id, 0) != static_cast<ssize_t>(sizeof origin.id)) {
    throw Error(ErrorCode::job, "the system gives no random numbers for the job's secret");
  }
  return origin;
}

}  // namespace

JobShell::JobShell(asio::io_context& loop, Warden& warden, JobPlan plan)
    : loop_(loop),
      warden_(warden),
      plan_(std::move(plan)),
      origin_(origin()),
      job_(plan_, origin_),
      timer_(loop, [this] { take(event::TimeUp{}); }),
      reaper_(loop),
      signals_(loop),
      output_(loop, plan_.label,
              {[this](int host, std::size_t bytes) {
                 take(event::OutputWritten{host, bytes});
               },
               [this] { take(event::OutputClosed{}); }}),
      input_(loop, [this](std::string chunk) { take(event::InputRead{std::move(chunk)}); }),
      questions_(
          loop, [this](Event event) { take(std::move(event)); }, [this] { return job_.line(Clock::now()); }) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT, SIGQUIT}) {
    if (!ignored(number)) signals_.add(number);
  }
}

JobShell::~JobShell() = default;

int JobShell::run() {
  wait_for_signals();
  take(event::Begin{});
  connect();
  loop_.run();
  for (const std::string& line : job_.last_words()) std::cerr << "cohort: " + printable(line) + "\n";
  write_record();
  JobRecord record = job_.record();
  record.output_lost = output_.lost();
  return exit_status(record);
}

void JobShell::take(Event event) {
  const Moment now{timer_.now(), Clock::now(), std::chrono::system_clock::now()};
  for (Command& command : job_.on(std::move(event), now)) {
    std::visit([this](auto& one) { perform(std::move(one)); }, command);
  }
  timer_.set(job_.deadline());
}

void JobShell::wait_for_signals() {
  signals_.async_wait([this](const asio::error_code& error, int number) {
    if (error) return;
    take(event::Signal{number});
    wait_for_signals();
  });
}

// --- hosts

void JobShell::connect() {
  RemoteSettings remote{
      origin_.id, plan_.remote_shell, plan_.shells_at_once, plan_.interface, plan_.settings.host_limit(), plan_.ports,
      {}};
  int number = 0;
  for (const HostPlan& host : plan_.hosts) {
    if (!host.local) remote.hosts.push_back({number, host.name});
    ++number;
  }
  if (!remote.hosts.empty()) remote_ = RemoteHosts::start(loop_, reaper_, warden_, *this, std::move(remote));
}

void JobShell::heard(int host, v1::FromHost&& message) { take(event::FromHost{host, std::move(message)}); }

void JobShell::lost(int host, const std::string& cause) { take(event::HostLost{host, cause}); }

Host& JobShell::host(int number) {
  const HostPlan& plan = plan_.hosts.at(static_cast<std::size_t>(number));
  if (!plan.local) return remote_->host(number);
  std::unique_ptr<HostShell>& here = here_[number];
  if (!here) {
    here = std::make_unique<HostShell>(
        loop_, reaper_, warden_, *this,
        LocalHost::Settings{number, plan.name, {own_address(), plan_.ports}, usable_cores()});
  }
  return *here;
}

std::string JobShell::own_address() const {
  if (!plan_.interface.empty()) return address_of_interface(plan_.interface);
  return remote_ ? remote_->own_address() : "127.0.0.1";
}

void JobShell::perform(command::Tell&& command) { host(command.host).tell(*command.message); }

// --- input and output

void JobShell::perform(command::Write&& command) {
  if (!plan_.take_output || command.error) {
    return output_.write(command.host, command.pid, command.error, std::move(command.block));
  }
  plan_.take_output(command.block);
  asio::post(loop_, [this, host = command.host, bytes = command.block.size()] {
    take(event::OutputWritten{host, bytes});
  });
}

void JobShell::perform(command::Say&& command) { output_.say(command.text); }

void JobShell::perform(command::DrainOutput&& /*command*/) {
  output_.when_written([this] { take(event::OutputDrained{}); });
}

void JobShell::perform(command::DropOutput&& /*command*/) { output_.drop(); }

void JobShell::perform(command::StartInput&& /*command*/) { input_.start(); }

void JobShell::perform(command::InputTaken&& command) { input_.taken(command.bytes); }

void JobShell::perform(command::StopInput&& /*command*/) { input_.stop(); }

// --- questions of other commands

void JobShell::perform(command::ServeStatus&& /*command*/) { questions_.serve_soon(); }

void JobShell::perform(command::Reply&& command) { questions_.reply(std::move(command)); }

// --- the end

void JobShell::perform(command::Stop&& /*command*/) { ::raise(SIGSTOP); }

void JobShell::perform(command::Close&& /*command*/) {
  if (remote_) {
    remote_->close([this] { loop_.stop(); });
  } else {
    loop_.stop();
  }
}

void JobShell::write_record() const {
  if (plan_.record.empty()) return;
  try {
    write_file("--record", plan_.record, to_text(job_.receives()));
  } catch (const std::runtime_error& error) {
    std::cerr << "cohort: warning: " << printable(error.what()) << std::endl;
  }
}

}  // namespace cohort
