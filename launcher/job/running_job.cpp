#include "launcher/job/running_job.hpp"

#include <sys/random.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <iostream>
#include <utility>

#include "cohort/error.hpp"
#include "launcher/host/endings.hpp"
#include "launcher/host/interfaces.hpp"
#include "launcher/host/signal_settings.hpp"
#include "launcher/network/typical_network.hpp"
#include "launcher/printable.hpp"
#include "launcher/write_file.hpp"
#include "proto/control.pb.h"
#include "runtime/control/faults_message.hpp"
#include "runtime/control/taken_message.hpp"
#include "runtime/control/tuning_message.hpp"

namespace cohort {

namespace {

using Stage = Roster::Stage;

// Signals that a shell or nohup has set to be ignored stay ignored.
bool ignored(int number) {
  struct sigaction action {};
  return ::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

RunningJob::RunningJob(asio::io_context& loop, Warden& warden, JobPlan plan)
    : loop_(loop),
      warden_(warden),
      plan_(std::move(plan)),
      roster_(plan_.ranks),
      addresses_(static_cast<std::size_t>(plan_.ranks)),
      reaper_(loop),
      signals_(loop),
      timeout_(loop),
      join_timeout_(loop),
      measurement_limit_(loop),
      drain_limit_(loop),
      suspend_limit_(loop),
      escalation_timer_(loop, [this] { escalate(); }),
      output_(loop, plan_.label,
              {[this](int host, std::size_t bytes) { output_taken(host, bytes); },
               [this] { end_early(ended_by::ClosedOutput{}, ""); }}),
      input_(loop,
             [this](std::string chunk) {
               v1::ToHost message;
               message.mutable_input()->set_data(std::move(chunk));
               HostState& first = hosts_.front();  // it has rank 0
               if (!first.lost && first.link != nullptr) first.link->tell(message);
             }),
      receives_(static_cast<std::size_t>(plan_.ranks)),
      inquiry_(loop, plan_.ranks),
      deadlock_inquiry_(loop, plan_.ranks),
      blames_(plan_.ranks),
      verdict_limit_(loop),
      last_said_(static_cast<std::size_t>(plan_.ranks)),
      deadlock_timer_(loop),
      status_timer_(loop) {
  if (::getrandom(secret_.data(), secret_.size(), 0) != static_cast<ssize_t>(secret_.size()) ||
      ::getrandom(&id_, sizeof id_, 0) != static_cast<ssize_t>(sizeof id_)) {
    throw Error(ErrorCode::job, "the system gives no random numbers for the job's secret");
  }
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT, SIGQUIT}) {
    if (!ignored(number)) signals_.add(number);
  }
}

RunningJob::~RunningJob() = default;

int RunningJob::run() {
  wait_for_signals();
  expect(plan_.faults);
  if (plan_.timeout_s > 0) timeout_.begin(duration_of(plan_.timeout_s), [this] { on_timeout(); });
  connect();
  loop_.run();
  if (failure_line_) lines_[*failure_line_] += "; the job was ended";
  report_faults();
  for (const std::string& line : lines_) std::cerr << "cohort: " + printable(line) + "\n";
  write_record();
  record_.ended_by = phases_.reason();
  record_.anyone_left = roster_.anyone_left();
  record_.output_lost = output_.lost();
  return exit_status(record_);
}

void RunningJob::write_record() const {
  if (plan_.record.empty()) return;
  try {
    write_file("--record", plan_.record, to_text(receives_));
  } catch (const std::runtime_error& error) {
    std::cerr << "cohort: warning: " << printable(error.what()) << std::endl;
  }
}

// --- hosts

void RunningJob::connect() {
  RemoteSettings remote{id_, plan_.remote_shell, plan_.shells_at_once, plan_.interface, plan_.host_limit_s, plan_.ports,
                        {}};
  for (const HostPlan& host : plan_.hosts) {
    if (!host.local) remote.hosts.push_back({static_cast<int>(hosts_.size()), host.name});
    HostState& state = hosts_.emplace_back();
    state.plan = host;
    if (host.local) state.machine = this_machine();
  }
  if (hosts_.size() > 1 && !plan_.tuning.between_hosts) measurement_ = Measurement::wanted;
  if (remote.hosts.empty() && phases_.start()) return start();
  remote_ = RemoteHosts::start(loop_, reaper_, warden_, *this, std::move(remote));
}

void RunningJob::attached(HostState& host, const v1::Attached& message) {
  host.attached = true;
  host.machine = {message.boot(), message.processors(), message.cores(), message.limit()};
  measure_network();
  for (const HostState& other : hosts_) {
    if (!other.plan.local && !other.attached) return;
  }
  if (phases_.start()) start();
}

void RunningJob::start() {
  const std::string address = !plan_.interface.empty() ? address_of_interface(plan_.interface)
                              : remote_                ? remote_->own_address()
                                                       : "127.0.0.1";
  v1::ToHost message;
  v1::Start& order = *message.mutable_start();
  order.set_job(id_);
  order.set_secret(secret_.data(), secret_.size());
  order.set_ranks(plan_.ranks);
  order.set_program(plan_.program);
  *order.mutable_arguments() = {plan_.arguments.begin(), plan_.arguments.end()};
  *order.mutable_environment() = {plan_.environment.begin(), plan_.environment.end()};
  order.set_directory(plan_.directory);
  order.set_barrier(plan_.barrier);
  order.set_develop(plan_.develop);
  order.set_synchronous(plan_.synchronous);
  order.set_progress_thread(plan_.progress_thread);
  order.set_record(!plan_.record.empty());
  order.set_replay(plan_.replay.has_value());
  order.set_patience(plan_.patience_s);
  order.set_stacks(plan_.stacks);
  write(plan_.faults.plan, *order.mutable_faults());
  order.set_goes_on(plan_.goes_on);
  order.set_host_limit(plan_.host_limit_s);
  order.set_stall_limit(plan_.stall_limit_s);
  write(inherited_signals(), *order.mutable_signals());
  if (plan_.tuning.within_host) write(*plan_.tuning.within_host, *order.mutable_tuning()->mutable_within_host());
  // Of its own host each process has its host's numbers; where a group spans hosts, all must choose by the same.
  write(plan_.tuning.within_host.value_or(typical_within_host(1, 1)), *order.mutable_tuning()->mutable_within_hosts());
  if (plan_.tuning.between_hosts) write(*plan_.tuning.between_hosts, *order.mutable_tuning()->mutable_between_hosts());
  for (const Choice& choice : plan_.tuning.choices) order.mutable_tuning()->add_choices(to_string(choice));
  for (int number = 0; number < static_cast<int>(hosts_.size()); ++number) {
    HostState& host = hosts_[static_cast<std::size_t>(number)];
    if (host.plan.local) {
      host.here = std::make_unique<LocalHost>(loop_, reaper_, warden_, *this,
                                              LocalHost::Settings{number, host.plan.name, {address, plan_.ports}});
    }
    host.link = host.plan.local ? static_cast<Host*>(host.here.get()) : &remote_->host(number);
    host.expected = host.plan.count;
    add_replay(host.plan, order);
    order.set_first_pid(host.plan.first);
    order.set_count(host.plan.count);
    host.link->tell(message);
  }
  input_.start();
  serve_status();
  measure_network();
}

void RunningJob::add_replay(const HostPlan& host, v1::Start& order) const {
  order.clear_took();
  for (Pid pid = host.first; plan_.replay && pid < host.first + host.count; ++pid) {
    for (const auto& [channel, sources] : plan_.replay->at(static_cast<std::size_t>(pid))) {
      v1::Took& took = *order.add_took();
      took.set_pid(pid);
      write(channel, sources, *took.mutable_taken());
    }
  }
}

void RunningJob::heard(int number, v1::FromHost&& message) {
  HostState& host = hosts_.at(static_cast<std::size_t>(number));
  if (host.lost) return;
  using v1::FromHost;
  switch (message.body_case()) {
    case FromHost::kAttached:
      return attached(host, message.attached());
    case FromHost::kNotStarted:
      return not_started(host, message.not_started().status(), message.not_started().reason());
    case FromHost::kInputTaken:
      if (message.input_taken().closed()) input_.stop();
      return input_.taken(message.input_taken().bytes());
    case FromHost::kFinished:
      host.finished = true;
      return finish_if_all_hosts_did();
    case FromHost::kOutput:
      if (!phases_.has_processes() || !host.plan.has(message.output().pid())) return;
      return output(number, *message.mutable_output());
    case FromHost::kMeasurable:
      return measurable(message.measurable().ip(), message.measurable().port());
    case FromHost::kMeasured:
      return measured(message);
    case FromHost::kWarning:
      if (warnings_.insert(message.warning().words()).second) {
        output_.say("cohort: warning: " + message.warning().words() + "\n");
      }
      return;
    case FromHost::kSuspended:
      return suspended(host);
    case FromHost::kBeat:
      return answered(host, message.beat().question());
    default:
      return heard_of_process(host, std::move(message));
  }
}

void RunningJob::heard_of_process(HostState& host, v1::FromHost&& message) {
  const auto mine = [&](Pid pid) { return host.plan.has(pid); };
  using v1::FromHost;
  switch (message.body_case()) {
    case FromHost::kStarted:
      if (mine(message.started().pid())) started(host, message.started().pid(), message.started().process());
      return;
    case FromHost::kJoining:
      if (mine(message.joining().pid())) joining(message.joining().pid());
      return;
    case FromHost::kListens: {
      const v1::Listens& said = message.listens();
      if (!mine(said.pid())) return;
      return listens(said.pid(),
                     {host.plan.name, said.ip(), static_cast<std::uint16_t>(said.port()), said.incarnation()});
    }
    case FromHost::kLeft:
      if (mine(message.left().pid())) left(message.left().pid());
      return;
    case FromHost::kDoes:
      if (mine(message.does().pid())) does(message.does().pid(), std::move(*message.mutable_does()->mutable_doing()));
      return;
    case FromHost::kHasInjected:
      if (mine(message.has_injected().pid())) injected(message.has_injected().pid(), message.has_injected().injected());
      return;
    case FromHost::kMistaken:
      if (mine(message.mistaken().pid())) mistaken(message.mistaken().pid(), message.mistaken().what());
      return;
    case FromHost::kTook:
      if (mine(message.took().pid()) && !plan_.record.empty()) {
        read(message.took().taken(), receives_[static_cast<std::size_t>(message.took().pid())]);
      }
      return;
    case FromHost::kRefuses:
      if (mine(message.refuses().pid())) {
        fail({.pid = message.refuses().pid(),
              .cause = FailureCause::refused,
              .words = "was refused: " + message.refuses().reason()},
             1);
        if (goes_on()) kill(message.refuses().pid());
      }
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
    case FromHost::kEnded:
      if (mine(message.ended().pid())) ended(host, message.ended());
      return;
    case FromHost::kStalled:
      if (mine(message.stalled().pid())) stalled(message.stalled());
      return;
    default:
      return;  // something newer
  }
}

void RunningJob::output(int number, v1::Output& output) {
  if (plan_.take_output && !output.error()) {
    plan_.take_output(output.data());
    return output_taken(number, output.data().size());
  }
  output_.write(number, output.pid(), output.error(), std::move(*output.mutable_data()));
}

void RunningJob::output_taken(int number, std::size_t bytes) {
  v1::ToHost message;
  message.mutable_output_taken()->set_bytes(bytes);
  HostState& host = hosts_.at(static_cast<std::size_t>(number));
  if (!host.lost) host.link->tell(message);
}

// --- processes

void RunningJob::started(HostState& host, Pid pid, std::int64_t process) {
  ++host.started;
  roster_.started(pid, process);
}

void RunningJob::not_started(HostState& host, int status, const std::string& reason) {
  host.expected = host.started;
  end_early(ended_by::NotStarted{status}, reason + " (host " + host.plan.name + ")");
  finish_if_ended();
}

void RunningJob::joining(Pid pid) {
  phases_.join();
  if (!roster_.anyone_joining() && plan_.join_timeout_s > 0) {
    join_timeout_.begin(duration_of(plan_.join_timeout_s), [this] { on_join_timeout(); });
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
  tell_all(message);
}

const RunningJob::HostState& RunningJob::host_of(Pid pid) const {
  for (const HostState& host : hosts_) {
    if (pid < host.plan.first + host.plan.count) return host;
  }
  return hosts_.back();
}

std::string RunningJob::name(Pid pid) const {
  return "rank " + std::to_string(pid) + " (host " + host_of(pid).plan.name + ", process " +
         std::to_string(roster_.process(pid)) + ")";
}

void RunningJob::tell_all(const v1::ToHost& message) {
  for (const HostState& host : hosts_) {
    if (host.link != nullptr && !host.lost) host.link->tell(message);
  }
}

}  // namespace cohort
