#include "launcher/job/running_job.hpp"

#include <utility>

#include "launcher/host/report.hpp"
#include "launcher/network/typical_network.hpp"
#include "launcher/printable.hpp"
#include "proto/control.pb.h"
#include "runtime/control/faults_message.hpp"
#include "runtime/control/taken_message.hpp"
#include "runtime/control/tuning_message.hpp"

namespace cohort {

RunningJob::RunningJob(JobPlan plan, JobOrigin origin)
    : plan_(std::move(plan)),
      origin_(std::move(origin)),
      hosts_(plan_.hosts, origin_.here, commands_),
      roster_(plan_.ranks),
      addresses_(static_cast<std::size_t>(plan_.ranks)),
      verdicts_(hosts_.numbers()),
      blames_(plan_.ranks),
      inquiry_(plan_.ranks),
      deadlock_(plan_.ranks),
      receives_(static_cast<std::size_t>(plan_.ranks)) {}

Commands RunningJob::on(Event event, const Moment& now) {
  if (phases_.now() == Phases::Phase::done) return {};
  now_ = now;
  std::visit([this](auto&& heard) { hear(std::move(heard)); }, std::move(event));
  settle();
  return std::exchange(commands_, {});
}

// What follows once an event has been heard.
void RunningJob::settle() {
  if (phases_.now() == Phases::Phase::done) return;
  if (inquiry_.take_over()) {
    for (const Occasion& occasion : std::exchange(occasions_, {})) described(occasion);
  }
  look_for_deadlock();
}

std::optional<Deadline> RunningJob::deadline() const {
  if (phases_.now() == Phases::Phase::done) return std::nullopt;
  std::optional<Deadline> next = limits_.next();
  for (const std::optional<Deadline>& other :
       {escalation_.deadline(), verdicts_.deadline(), inquiry_.deadline(), deadlock_.deadline()}) {
    next = earliest(next, other);
  }
  return next;
}

void RunningJob::hear(event::TimeUp&& /*event*/) {
  const Attended now = now_.attended;
  while (const std::optional<Time> limit = limits_.take_passed(now)) time_up(*limit);
  escalate();
  while (const std::optional<Closing> closing = verdicts_.take_closing(now)) give_up_closed(*closing);
  if (verdicts_.take_time_up(now)) {
    judge_links(/*patient=*/plan_.host_limit_s > 0);
    ask_for_deaths();
  }
  inquiry_.time_up(now);
  deadlock_.time_up(now);
}

void RunningJob::time_up(Time limit) {
  switch (limit) {
    case Time::job:
      return timed_out();
    case Time::join:
      return not_joined_in_time();
    case Time::measurement:
      if (std::exchange(measurement_, Measurement::over) != Measurement::over) tell_table();
      return;
    case Time::drain:
      return commands_.push_back(command::AbandonOutput{});
    case Time::suspend:
      return commands_.push_back(command::Stop{});
  }
}

// --- the start

void RunningJob::hear(event::Begin&& /*event*/) {
  begun_ = now_.clock;
  expect(plan_.faults);
  if (plan_.timeout_s > 0) limits_.begin(Time::job, duration_of(plan_.timeout_s), now_.attended);
  if (hosts_.count() > 1 && !plan_.tuning.between_hosts) measurement_ = Measurement::wanted;
  if (hosts_.all_attached() && phases_.start()) start();
}

void RunningJob::attached(HostState& host, const v1::Attached& message) {
  if (host.stage != JobHosts::Stage::connecting) return;
  host.stage = JobHosts::Stage::attached;
  host.machine = {message.boot(), message.processors(), message.cores(), message.limit()};
  measure_network();
  if (hosts_.all_attached() && phases_.start()) start();
}

void RunningJob::start() {
  v1::ToHost message = start_order();
  v1::Start& order = *message.mutable_start();
  for (int number = 0; number < hosts_.count(); ++number) {
    HostState& host = hosts_.at(number);
    host.stage = JobHosts::Stage::started;
    host.expected = host.plan.count;
    add_replay(host.plan, order);
    order.set_first_pid(host.plan.first);
    order.set_count(host.plan.count);
    hosts_.tell(number, message);
  }
  commands_.push_back(command::StartInput{});
  commands_.push_back(command::ServeStatus{});
  measure_network();
}

v1::ToHost RunningJob::start_order() const {
  v1::ToHost message;
  v1::Start& order = *message.mutable_start();
  order.set_job(origin_.id);
  order.set_secret(origin_.secret.data(), origin_.secret.size());
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
  write(origin_.signals, *order.mutable_signals());
  if (plan_.tuning.within_host) write(*plan_.tuning.within_host, *order.mutable_tuning()->mutable_within_host());
  // Of its own host each process has its host's numbers; where a group spans hosts, all must choose by the same.
  write(plan_.tuning.within_host.value_or(typical_within_host(1, 1)), *order.mutable_tuning()->mutable_within_hosts());
  if (plan_.tuning.between_hosts) write(*plan_.tuning.between_hosts, *order.mutable_tuning()->mutable_between_hosts());
  for (const Choice& choice : plan_.tuning.choices) order.mutable_tuning()->add_choices(to_string(choice));
  return message;
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

void RunningJob::not_started(HostState& host, int status, const std::string& reason) {
  host.expected = host.started;
  end_early(ended_by::NotStarted{status}, reason + " (host " + host.plan.name + ")");
  finish_if_ended();
}

void RunningJob::expect(const GivenFaults& faults) {
  faults_.expect(faults);
  if (!faults.random) return;
  last_words_.lines.push_back("injected faults are drawn with seed " + std::to_string(faults.plan.seed));
}

// --- what it looks like from outside

std::string RunningJob::line(Clock::time_point now) const {
  std::string line = on_one_line(plan_.program);
  for (const std::string& argument : plan_.arguments) line += " " + on_one_line(argument);
  const double seconds = std::chrono::duration<double>(now - begun_).count();
  return "-n " + std::to_string(plan_.ranks) + " " + line + ", for " + in_words(seconds);
}

std::string RunningJob::name(Pid pid) const {
  return "rank " + std::to_string(pid) + " (host " + hosts_.of(pid).plan.name + ", process " +
         std::to_string(roster_.process(pid)) + ")";
}

JobRecord RunningJob::record() const {
  JobRecord record = record_;
  record.ended_by = phases_.reason();
  record.anyone_left = roster_.anyone_left();
  return record;
}

std::vector<std::string> RunningJob::last_words() const {
  std::vector<std::string> lines = last_words_.lines;
  if (last_words_.failures) lines[*last_words_.failures] += "; the job was ended";
  for (std::string& line : faults_.lines()) lines.push_back(std::move(line));
  return lines;
}

}  // namespace cohort
