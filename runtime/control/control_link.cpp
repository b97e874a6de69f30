// SPDX-License-Identifier: Apache-2.0
// The process's end of the link: plain system calls on a non-blocking socket.
#include "runtime/control/control_link.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>

#include "cohort/error.hpp"
#include "proto/process.pb.h"
#include "runtime/control/agent_news.hpp"
#include "runtime/control/control_frames.hpp"
#include "runtime/control/doing_message.hpp"
#include "runtime/control/failure_message.hpp"
#include "runtime/control/faults_message.hpp"
#include "runtime/control/group_message.hpp"
#include "runtime/control/ports_message.hpp"
#include "runtime/control/settings_message.hpp"
#include "runtime/control/taken_message.hpp"
#include "runtime/control/tuning_message.hpp"
#include "runtime/inert.hpp"
#include "runtime/wakeup.hpp"

namespace cohort {

namespace {

namespace wire = process::v1;

constexpr std::size_t longest_cause = 4096;

[[noreturn]] void fail(const std::string& what) { throw Error(ErrorCode::job, what); }

[[noreturn]] void fail_to_join(const Failure& failure) {
  ErrorContext context;
  context.pid = failure.pid;
  context.host = failure.host;
  throw Error(ErrorCode::job,
              "the job could not come together: pid " + std::to_string(failure.pid) + " on " + failure.host + " " +
                  failure.words,
              std::move(context), std::make_shared<const Failure>(failure));
}

// Waits until the socket can be read (or written). There is no limit here: the launcher and the agent have limits, and
// the link closes when the agent ends. An agent that is stopped, or gets no processor, must not lose its processes.
void await(int descriptor, short events) {
  pollfd entry{descriptor, events, 0};
  while (::poll(&entry, 1, -1) < 0) {
    if (errno != EINTR) fail(std::string("waiting for the agent of this host: ") + std::strerror(errno));
  }
}

class SocketControlLink final : public ControlLink {
 public:
  explicit SocketControlLink(int descriptor) : descriptor_(descriptor) {
    detail::close_in_forks(descriptor_);
    wire::FromProcess message;
    message.mutable_hello()->set_version(COHORT_VERSION);
    message.mutable_hello()->set_process(::getpid());
    send(message);
    while (!welcomed_) read();
  }

  ~SocketControlLink() override {
    // A shell that has started this process holds the socket open, too. After the rank has left, the agent uses the
    // socket to tell that to other programs that the shell starts.
    if (!leaves_) ::shutdown(descriptor_, SHUT_RDWR);
    detail::close_own(descriptor_);
  }
  SocketControlLink(const SocketControlLink&) = delete;
  SocketControlLink& operator=(const SocketControlLink&) = delete;

  const ListenAt& listen_at() const override { return listen_at_; }
  bool all_left() const override { return all_left_; }

  Offer take_memory() override { return std::exchange(offer_, {}); }
  bool wants_memory() const override { return wants_memory_; }

  Job join(std::uint16_t port, std::uint64_t incarnation, const SharesMemory& memory) override {
    wire::FromProcess message;
    message.mutable_listening()->set_port(port);
    message.mutable_listening()->set_incarnation(incarnation);
    message.mutable_listening()->set_shares_memory(memory.yes);
    message.mutable_listening()->set_no_memory(memory.failure);
    send(message);
    while (!complete_) {
      read();
      if (!complete_ && !failures_.empty()) fail_to_join(failures_.front());
    }
    return job_;
  }

  Heard listen(std::chrono::nanoseconds limit, int alarm) override {
    Heard heard;
    std::array<pollfd, 3> entries{{{descriptor_, POLLIN, 0}, {hush_.descriptor(), POLLIN, 0}, {alarm, POLLIN, 0}}};
    const auto limit_ms = std::chrono::ceil<std::chrono::milliseconds>(limit).count();
    ::poll(entries.data(), entries.size(), static_cast<int>(limit_ms));
    if (entries[1].revents != 0) heard.open = false;
    heard.alarm = entries[2].revents != 0;
    if (entries[0].revents == 0) return heard;
    try {
      heard.open &= frames_.fill(descriptor_);
      while (const std::optional<wire::ToProcess> message = next()) {
        if (message->body_case() == wire::ToProcess::kAsk) {
          heard.question = message->ask().question();
        } else {
          news_.add(*message);
          heard.news = true;
        }
      }
      if (!heard.open) news_.end("the agent of this host has gone: the job has ended or was killed");
    } catch (const Error& error) {
      news_.end(error.what());
      heard.open = false;
    }
    heard.news |= !heard.open;
    return heard;
  }

  void hush() override { hush_.set(); }

  void tell(const Doing& doing) override {
    wire::FromProcess message;
    write(doing, *message.mutable_doing());
    try_to_send(message);
  }

  void suspect(Pid pid, const std::string& cause) override {
    wire::FromProcess message;
    message.mutable_suspect()->set_pid(pid);
    message.mutable_suspect()->set_cause(cause);
    try_to_send(message);
  }

  std::vector<FaultPlan> asked_faults() override { return std::exchange(asked_faults_, {}); }

  void tell(const InjectedFault& happened) override {
    wire::FromProcess message;
    write(happened, *message.mutable_injected());
    try_to_send(message);
  }

  bool tell_mistake(const std::string& what) override {
    wire::FromProcess message;
    message.mutable_mistake()->set_what(what);
    try {
      send(message);
    } catch (const Error&) {
      return false;
    }
    return true;
  }

  void tell(const Blamed& blamed) override {
    wire::FromProcess message;
    message.mutable_blame()->set_pid(blamed.culprit);
    message.mutable_blame()->set_cause(blamed.cause.substr(0, longest_cause));
    message.mutable_blame()->set_by(static_cast<wire::Blame::By>(blamed.by));
    const std::vector<Pid> sequences = in_sequences(blamed.members);
    *message.mutable_blame()->mutable_members() = {sequences.begin(), sequences.end()};
    try_to_send(message);
  }

  void tell_taken(const Taken& taken) override {
    wire::FromProcess message;
    write(taken, *message.mutable_taken());
    try_to_send(message);
  }

  void poll(const std::function<void(const Failure&)>& failed) override {
    if (news_.empty() && failures_.empty() && deadlock_.empty()) return;
    const AgentNews::Taken news = news_.take();
    for (const wire::ToProcess& message : news.messages) take(message);
    while (!failures_.empty()) {
      const Failure failure = std::move(failures_.front());
      failures_.pop_front();
      failed(failure);
    }
    if (!deadlock_.empty()) throw Error(ErrorCode::deadlock, deadlock_);
    if (!news.ended.empty() && !all_left_) fail(news.ended);
  }

  void ask_survivors(const Survivors::Question& question, const std::vector<Pid>& members) override {
    wire::FromProcess message;
    wire::AskSurvivors& asked = *message.mutable_ask_survivors();
    write(question.group, *asked.mutable_group());
    asked.set_number(question.number);
    const std::vector<Pid> sequences = in_sequences(members);
    *asked.mutable_members() = {sequences.begin(), sequences.end()};
    send(message);
  }

  const std::vector<Pid>* gone(const Survivors::Question& question) const override {
    const auto found = answers_.find(question);
    return found == answers_.end() ? nullptr : &found->second;
  }

  void leave() override {
    wire::FromProcess message;
    message.mutable_leave();
    send(message);
    leaves_ = true;
  }

 private:
  void try_to_send(const wire::FromProcess& message) {
    try {
      send(message);
    } catch (const Error&) {  // the agent is gone: listen() finds that out, too
    }
  }

  void send(const wire::FromProcess& message) {
    const std::lock_guard lock(sending_);
    std::string frame;
    append_frame(frame, message.SerializeAsString());
    std::string_view rest = frame;
    while (!rest.empty()) {
      const ssize_t sent = ::send(descriptor_, rest.data(), rest.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
      if (sent >= 0) {
        rest.remove_prefix(static_cast<std::size_t>(sent));
      } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
        await(descriptor_, POLLOUT);
      } else if (errno != EINTR) {
        fail(std::string("the agent of this host has gone: ") + std::strerror(errno));
      }
    }
  }

  void read() {
    await(descriptor_, POLLIN);
    const bool open = frames_.fill_one(descriptor_);  // messages after the table are for listen()
    while (const std::optional<wire::ToProcess> message = next()) take(*message);
    if (!open && failures_.empty()) fail("the agent of this host has gone: the job has ended or was killed");
  }

  std::optional<wire::ToProcess> next() {
    const std::optional<std::string_view> body = frames_.next();
    if (!body) return std::nullopt;
    wire::ToProcess message;
    if (!message.ParseFromArray(body->data(), static_cast<int>(body->size()))) {
      fail("the agent of this host sent a message that makes no sense");
    }
    return message;
  }

  void take(const wire::ToProcess& message) {
    switch (message.body_case()) {
      case wire::ToProcess::kMemory:
        return take(message.memory());
      case wire::ToProcess::kWelcome:
        return take(message.welcome());
      case wire::ToProcess::kTable:
        return take(message.table());
      case wire::ToProcess::kFailure:
        failures_.push_back(cohort::read(message.failure()));
        return;
      case wire::ToProcess::kSurvivors: {
        const wire::Survivors& survivors = message.survivors();
        answers_[{cohort::read(survivors.group()), survivors.number()}] = {survivors.gone().begin(),
                                                                           survivors.gone().end()};
        return;
      }
      case wire::ToProcess::kAllLeft:
        all_left_ = true;
        return;
      case wire::ToProcess::kDeadlock:
        deadlock_ = message.deadlock().who();
        return;
      case wire::ToProcess::kRefused:
        fail(message.refused().reason());
      case wire::ToProcess::kInject:
        asked_faults_.push_back(cohort::read(message.inject()));
        return;
      case wire::ToProcess::kAsk:  // here only before this process has joined: then the launcher knows the answer
      case wire::ToProcess::BODY_NOT_SET:
        return;  // a newer message, which an older library ignores
    }
  }

  void take(const wire::Memory& memory) {
    const std::vector<int> descriptors = frames_.take_descriptors();
    offer_.descriptors.insert(offer_.descriptors.end(), descriptors.begin(), descriptors.end());
    offer_.places = memory.places();
    offer_.failure = memory.failure();
  }

  void take(const wire::Welcome& welcome) {
    if (welcome.secret().size() != job_.secret.size()) fail("the agent of this host sent a secret of the wrong size");
    job_.id = welcome.job();
    job_.secret.take(welcome.secret().data());
    wipe(welcome.secret().data(), welcome.secret().size());
    job_.me = welcome.pid();
    job_.cores = welcome.cores();
    job_.crowded = welcome.processes_on_host() > welcome.cores();
    wants_memory_ = welcome.settings().transport() == wire::Settings::SHARED && welcome.processes_on_host() > 1;
    cohort::read(welcome.settings(), job_);
    for (const wire::Taken& taken : welcome.taken()) {
      if (job_.replay) cohort::read(taken, *job_.replay);
    }
    if (welcome.settings().stacks()) ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);  // some kernels allow only ancestors
    ranks_ = welcome.ranks();
    listen_at_ = {welcome.listen_at().ip(), cohort::read(welcome.listen_at().ports())};
    welcomed_ = true;
  }

  void take(const wire::Table& table) {
    if (table.addresses_size() != ranks_) fail("the launcher's table does not have one line for each process");
    job_.processes.clear();
    job_.processes.reserve(static_cast<std::size_t>(ranks_));
    for (const wire::Address& address : table.addresses()) {
      if (address.host() >= static_cast<std::uint32_t>(table.hosts_size())) fail("the launcher's table makes no sense");
      job_.processes.push_back({table.hosts(static_cast<int>(address.host())), address.ip(),
                                static_cast<std::uint16_t>(address.port()), address.incarnation(), address.memory(),
                                address.place()});
    }
    if (table.has_between_hosts()) job_.tuning.between_hosts = cohort::read(table.between_hosts());
    job_.crowded |= table.crowded();
    complete_ = true;
  }

  const int descriptor_;
  detail::Wakeup hush_;
  std::mutex sending_;
  FrameReader frames_{longest_to_process, /*with_descriptors=*/true};
  Offer offer_;
  bool wants_memory_ = false;
  ListenAt listen_at_;
  int ranks_ = 0;
  Job job_;
  std::vector<FaultPlan> asked_faults_;
  std::deque<Failure> failures_;                             // those that poll() has not reported yet
  std::map<Survivors::Question, std::vector<Pid>> answers_;  // also answers to other processes' questions
  bool welcomed_ = false;
  bool complete_ = false;  // the table has arrived
  bool leaves_ = false;    // leave() was called
  std::string deadlock_;   // the processes in a deadlock, if the launcher has reported one

  AgentNews news_;  // received by listen(), for poll()
  bool all_left_ = false;
};

}  // namespace

void ControlLink::strike(const PlannedFault& fault) {
  if (fault.kind == FaultKind::kill) ::raise(SIGKILL);
  if (fault.kind == FaultKind::stop) ::raise(SIGSTOP);
}

std::unique_ptr<ControlLink> ControlLink::inherited() {
  const char* variable = std::getenv(control_variable);
  if (variable == nullptr) return nullptr;
  const std::string value = variable;
  ::unsetenv(control_variable);  // programs that this process starts are not part of the job

  int descriptor = -1;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), descriptor);
  struct stat status {};
  if (error != std::errc() || end != value.data() + value.size() || ::fstat(descriptor, &status) != 0 ||
      !S_ISSOCK(status.st_mode)) {
    fail(std::string(control_variable) + "=" + value + " is no open socket: was it closed before joining the job?");
  }
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return std::make_unique<SocketControlLink>(descriptor);
}

}  // namespace cohort
