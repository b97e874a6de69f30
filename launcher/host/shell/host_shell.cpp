// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/shell/host_shell.hpp"

#include <unistd.h>

#include <algorithm>
#include <asio/post.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include "launcher/host/other_mpi.hpp"
#include "launcher/host/process_files.hpp"
#include "launcher/host/shell/examine.hpp"
#include "launcher/printable.hpp"

namespace cohort {

HostShell::HostShell(asio::io_context& loop, Reaper& reaper, Warden& warden, HostListener& listener,
                     LocalHost::Settings settings)
    : loop_(loop),
      reaper_(reaper),
      warden_(warden),
      listener_(listener),
      settings_(std::move(settings)),
      host_(settings_),
      timer_(loop, [this] { take(host_event::TimeUp{}); }),
      spawn_errors_(loop),
      meeting_(loop, settings_.listen_at,
               [this](v1::FromHost message) { perform(host_command::Report{std::move(message)}); }) {}

HostShell::~HostShell() { perform(host_command::KillAll{}); }

// Events that arise while a command is performed are queued, and handled after that.
void HostShell::take(HostEvent event) {
  events_.push_back(std::move(event));
  if (events_.size() > 1) return;
  for (; !events_.empty(); events_.pop_front()) {
    for (HostCommand& command : host_.on(std::move(events_.front()), timer_.now())) {
      std::visit([this](auto& one) { perform(std::move(one)); }, command);
    }
  }
  timer_.set(host_.deadline());
}

void HostShell::perform(host_command::Report&& command) {
  asio::post(loop_, [this, message = std::move(command.message)]() mutable {
    listener_.heard(settings_.number, std::move(message));
  });
}

void HostShell::perform(host_command::Examine&& command) {
  v1::FromHost message;
  *message.mutable_examined() = examine(settings_.listen_at);
  message.mutable_examined()->set_number(command.number);
  perform(host_command::Report{std::move(message)});
}

Child& HostShell::child(Pid pid) { return *std::ranges::find(children_, pid, &Child::pid); }

// --- the start

void HostShell::perform(host_command::Start&& command) {
  const v1::Start& job = command.order;
  program_ = on_one_line(job.program());
  memory_deaths_.emplace();
  warden_.know(job.job());
  orphans_.emplace(job.job());
  if (job.mpi()) faces_ = MpiFaces::installed();
  Starting starting(job, settings_.name, settings_.number, *orphans_, warden_, faces_);
  spawn_errors_.assign(starting.errors());
  if (starting.file().path.empty()) {
    return take(
        host_event::NotStarted{starting.file().status, "cannot run '" + program_ + "': " + starting.file().reason});
  }
  const std::string library = other_mpi_of(starting.file().path, faces_);
  if (!library.empty()) take(host_event::OtherMpiFound{library});
  spawn_errors_.async_wait(asio::posix::stream_descriptor::wait_read, [this](const asio::error_code& error) {
    if (!error) read_spawn_errors();
  });
  for (int i = 0; i < job.count(); ++i) {
    try {
      add(starting.start_next());
    } catch (const std::system_error& error) {
      return take(host_event::NotStarted{
          126, "cannot start rank " + std::to_string(job.first_pid() + i) + ": " + error.what()});
    }
  }
}

void HostShell::add(const Starting::Started& started) {
  const Pid pid = started.pid;
  Child& child = children_.emplace_back();
  child.pid = pid;
  child.process = started.process;
  reaper_.watch(child.process, [this, &child](int wait_status) { ended(child, wait_status); });
  child.link.emplace(loop_.get_executor(), started.link,
                     ProcessLink::Handler{[this, pid](const process::v1::FromProcess& message) {
                                            take(host_event::Said{pid, message});
                                          },
                                          [this, pid](const std::string& reason) {
                                            take(host_event::SaidNonsense{pid, reason});
                                          },
                                          [this, &child] {
                                            if (child.running) take(host_event::LinkClosed{child.pid});
                                          }});
  child.output.emplace(loop_.get_executor(), started.output, lines_of(pid, false));
  child.error.emplace(loop_.get_executor(), started.error, lines_of(pid, true));
  if (started.input >= 0) {
    input_.emplace(loop_.get_executor(), started.input, [this](std::size_t bytes, bool closed) {
      take(host_event::InputTaken{bytes, closed});
    });
  }
  child.link->start();
  child.output->start();
  child.error->start();
  take(host_event::Started{pid, child.process});
}

// Called when the pipe is readable, or closed because all children have executed. Also called before a process's end is
// reported: a child that could not execute its program wrote here before it ended. One record is enough.
void HostShell::read_spawn_errors() {
  if (!spawn_errors_.is_open()) return;
  SpawnError record{};
  const ssize_t got = ::read(spawn_errors_.native_handle(), &record, sizeof record);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  asio::error_code ignored;
  spawn_errors_.close(ignored);
  if (got != static_cast<ssize_t>(sizeof record)) return;
  const std::string what =
      record.directory ? "cannot enter the directory that the job was started in" : "cannot run '" + program_ + "'";
  take(host_event::NotStarted{!record.directory && record.error == ENOENT ? 127 : 126,
                              what + ": " + std::strerror(record.error)});
}

// --- links, input and output

void HostShell::perform(host_command::Send&& command) {
  const SharedFrame frame = make_frame(command.message);
  for (const Pid pid : command.to) child(pid).link->send(frame);
}

void HostShell::perform(host_command::GiveMemory&& command) {
  memory_.give(*child(command.pid).link, children_.size());
}

void HostShell::perform(host_command::Input&& command) {
  if (input_) input_->push(std::move(command.data));
}

LineReader::Handler HostShell::lines_of(Pid pid, bool error) {
  return {[this, pid, error](std::string block) {
            take(host_event::Wrote{pid, error, std::move(block)});
          },
          [this] { return host_.takes_output(); }, [this, pid] { take(host_event::StreamEnded{pid}); }};
}

void HostShell::perform(host_command::ResumeOutput&& /*command*/) {
  for (Child& child : children_) {
    child.output->resume();
    child.error->resume();
  }
}

void HostShell::perform(host_command::CloseOutput&& /*command*/) {
  for (Child& child : children_) {
    child.output->close();
    child.error->close();
  }
}

// --- ends

void HostShell::perform(host_command::WatchMember&& command) {
  Child& child = this->child(command.pid);
  child.joined(command.process, loop_, [this, &child] { look_at(child); });
}

// Reads the link first, because the process may have left before it ended.
void HostShell::look_at(Child& child) {
  if (!child.running) return;
  child.link->read();
  const std::optional<Child::MemberEnd> end = child.take_member_end();
  if (!end) return;
  child.out_of_memory = end->status && memory_deaths_->explain(*end->status, {child.member()});
  memory_.died(place_of(child));
  take(host_event::MemberEnded{child.pid, end->status, child.out_of_memory});
}

void HostShell::perform(host_command::LookWhoHasEnded&& command) {
  for (Child& child : children_) look_at(child);
  reaper_.reap();
  take(host_event::SeenWhoHasEnded{command.question});
}

void HostShell::ended(Child& child, int wait_status) {
  child.running = false;
  const std::vector<pid_t> were{child.member(), child.process};
  child.link->read();
  child.link->close();
  read_spawn_errors();
  if (child.pid == 0) input_->close();
  child.forget_if_gone(warden_);
  memory_.died(place_of(child));
  const bool out_of_memory = child.out_of_memory || memory_deaths_->explain(wait_status, were);
  take(host_event::Ended{child.pid, wait_status, out_of_memory});
}

void HostShell::perform(host_command::Forget&& /*command*/) {
  for (Child& child : children_) child.forget(warden_);
}

void HostShell::perform(host_command::Signal&& command) { child(command.pid).signal(command.number, *orphans_); }

void HostShell::perform(host_command::KillAll&& /*command*/) {
  if (!orphans_) return;  // nothing was started
  for (Child& child : children_) child.signal(SIGKILL, *orphans_);
  orphans_->end();
}

// --- looks

void HostShell::perform(host_command::Look&& /*command*/) {
  host_event::Looked looked;
  std::vector<pid_t> running;
  for (Child& child : children_) {
    if (!child.running) {
      child.forget_if_gone(warden_);  // processes that it left behind may have ended since
      continue;
    }
    const bool stopped = state_of(child.member()) == 'T';
    looked.processes.push_back({child.pid, stopped, stopped ? text_of(child.member(), "schedstat") : ""});
    running.push_back(child.process);
    if (child.member() != child.process) running.push_back(child.member());
  }
  memory_deaths_->look(running);
  take(std::move(looked));
}

void HostShell::perform(host_command::LookWhoIsStopped&& command) {
  host_event::SeenStopped seen{command.question, {}};
  for (const Child& child : children_) {
    const char state = child.running ? state_of(child.member()) : '?';
    if (state == 'T' || state == 't') seen.processes.push_back(child.pid);
  }
  take(std::move(seen));
}

void HostShell::perform(host_command::LookForOtherMpi&& command) {
  const std::string library = other_mpi_in(child(command.pid).process, faces_);
  if (!library.empty()) take(host_event::OtherMpiFound{library});
}

void HostShell::perform(host_command::ReadStack&& command) {
  Child& child = this->child(command.pid);
  child.stack =
      std::make_unique<StackReader>(loop_, reaper_, warden_, command.process, [this, &child](std::string lines) {
        const std::unique_ptr<StackReader> reader = std::move(child.stack);  // until this returns
        take(host_event::StackRead{child.pid, std::move(lines)});
      });
}

}  // namespace cohort
