// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/running_job.hpp"

#include <utility>

#include "launcher/host/endings.hpp"
#include "launcher/host/report.hpp"
#include "launcher/job/start_order.hpp"
#include "launcher/printable.hpp"
#include "launcher/usage_error.hpp"
#include "runtime/control/failure_message.hpp"
#include "runtime/control/faults_message.hpp"

namespace cohort {

RunningJob::RunningJob(JobPlan plan, JobOrigin origin)
    : plan_(std::move(plan)),
      origin_(std::move(origin)),
      hosts_(plan_.hosts, origin_.here, commands_),
      gathering_(plan_.ranks, hosts_.count(), plan_.tuning.between_hosts),
      members_(plan_.hosts, {plan_.settings.goes_on(), plan_.settings.host_limit(), plan_.stall_limit_s}),
      inquiries_(plan_.ranks, {plan_.settings.stacks(), plan_.settings.develop(), plan_.settings.patience()}),
      receives_(static_cast<std::size_t>(plan_.ranks)) {}

Commands RunningJob::on(Event event, const Moment& now) {
  if (phases_.now() == Phases::Phase::done) return {};
  now_ = now;
  std::visit([this](auto&& heard) { hear(std::move(heard)); }, std::move(event));
  settle();
  return std::exchange(commands_, {});
}

// Takes the decisions that may be due after any event.
void RunningJob::settle() {
  if (phases_.now() == Phases::Phase::done) return;
  for (const Occasion& occasion : inquiries_.take_described()) described(occasion);
  if (auto table = gathering_.take_table(hosts_)) {
    phases_.meet();
    members_.runs();
    v1::ToHost message;
    message.mutable_table()->Swap(&*table);
    tell_all(std::move(message));
  }
  if (phases_.early() || phases_.over()) return;
  if (auto question = inquiries_.take_search(members_, now_.attended)) tell_all(std::move(*question));
  if (const auto deadlock = inquiries_.take_deadlock(members_, now_.attended)) {
    v1::ToHost message;
    message.mutable_deadlock()->set_who(deadlock->who);
    tell_all(std::move(message));
    end_early(ended_by::Deadlock{}, deadlock->line);
  }
}

std::optional<Deadline> RunningJob::deadline() const {
  if (phases_.now() == Phases::Phase::done) return std::nullopt;
  std::optional<Deadline> next = limits_.next();
  for (const std::optional<Deadline>& other :
       {escalation_.deadline(), members_.deadline(), inquiries_.deadline(), gathering_.deadline()}) {
    next = earliest(next, other);
  }
  return next;
}

void RunningJob::hear(event::TimeUp&& /*event*/) {
  while (const std::optional<Time> limit = limits_.take_passed(now_.attended)) time_up(*limit);
  escalate();
  hear(members_.time_up(now_));
  gathering_.time_up(now_.attended);
  inquiries_.time_up(now_.attended);
}

// --- the start

void RunningJob::hear(event::Begin&& /*event*/) {
  begun_ = now_.clock;
  expect(plan_.faults);
  if (plan_.timeout_s > 0) limits_.begin(Time::job, duration_of(plan_.timeout_s), now_.attended);
  start_if_attached();
}

void RunningJob::start_if_attached() {
  if (!hosts_.all_attached() || !phases_.start()) return;
  for (int number = 0; number < hosts_.count(); ++number) {
    HostState& host = hosts_.at(number);
    host.stage = JobHosts::Stage::started;
    host.expected = host.plan.count;
    v1::ToHost message;
    *message.mutable_start() = start_order(plan_, origin_, host.plan);
    hosts_.tell(number, std::move(message));
  }
  commands_.push_back(command::StartInput{});
  commands_.push_back(command::ServeStatus{});
  measure_network();
}

void RunningJob::measure_network() {
  if (!gathering_.take_measurement(hosts_)) return;
  v1::ToHost message;
  *message.mutable_be_measured() = meeting(origin_, hosts_);
  hosts_.tell(1, std::move(message));
}

void RunningJob::expect(const GivenFaults& faults) {
  faults_.expect(faults);
  if (faults.random) last_words_.add("injected faults are drawn with seed " + std::to_string(faults.plan.seed));
}

// The reply says what is wrong with the faults; it is empty if they are accepted.
void RunningJob::hear(event::Inject&& event) {
  std::string wrong;
  try {
    if (members_.roster().all_joined()) {
      const GivenFaults given = parse_faults(event.faults, "", plan_.ranks, event.seed, faults_.count());
      expect(given);
      v1::ToHost message;
      write(given.plan, *message.mutable_inject());
      tell_all(std::move(message));
    } else {
      wrong = "the job has not come together yet";
    }
  } catch (const UsageError& error) {
    wrong = error.what();
  }
  commands_.push_back(command::Reply{event.asker, std::move(wrong)});
}

// --- news of the processes

void RunningJob::hear(News&& news) {
  for (auto& one : news) std::visit([this](auto& heard) { hear(std::move(heard)); }, one);
}

void RunningJob::hear(news::Lost&& loss) {
  Failure& failure = loss.failure;
  failure.incarnation = gathering_.address(failure.pid).incarnation;
  v1::ToHost message;
  write(failure, *message.mutable_failure());
  tell_all(std::move(message));
  if (loss.goes_on) {
    record_.lose(loss.exit_status, loss.by_itself);
    return say("cohort: " + loss.line + "; the job goes on\n");
  }
  if (phases_.early()) return last_words_.further_loss(failure.number, loss.line);
  last_words_.ended_by_loss(std::move(loss.line), failure.number == 1);
  end_early(ended_by::Failure{loss.exit_status, loss.culprit}, "");
}

// If a process's mistake ends the job, that process's own exit code becomes the job's exit status.
void RunningJob::hear(news::Ended&& ended) {
  if (phases_.culprit() != ended.pid || escalation_.has_signalled() || ended.wait_status == 0) return;
  record_.culprit_end = exit_code(ended.wait_status);
}

// --- what the processes are doing

void RunningJob::describe(Occasion occasion) {
  if (auto question = inquiries_.describe(std::move(occasion), members_, now_.attended)) tell_all(std::move(*question));
}

void RunningJob::described(const Occasion& occasion) {
  const std::string report = inquiries_.report(members_);
  if (const auto* const asked = std::get_if<occasion::Question>(&occasion)) {
    commands_.push_back(command::Reply{asked->asker, report + "\n"});
  } else if (const auto* const headline = std::get_if<occasion::Headline>(&occasion)) {
    say("cohort: " + headline->words + "\n" + report + "\n");
  } else if (!phases_.over()) {
    const std::string& line = std::get<occasion::Timeout>(occasion).line;
    end_early(ended_by::Timeout{}, line + (phases_.has_processes() ? "\n" + report : ""));
  }
}

// --- for observers

std::string RunningJob::line(Clock::time_point now) const {
  std::string line = on_one_line(plan_.program);
  for (const std::string& argument : plan_.arguments) line += " " + on_one_line(argument);
  const double seconds = std::chrono::duration<double>(now - begun_).count();
  const std::string ways = members_.roster().all_joined() ? gathering_.ways() : "";
  return "-n " + std::to_string(plan_.ranks) + " " + line + ", for " + in_words(seconds) +
         (ways.empty() ? "" : ", " + ways);
}

JobRecord RunningJob::record() const {
  JobRecord record = record_;
  record.ended_by = phases_.reason();
  record.anyone_left = members_.roster().anyone_left();
  return record;
}

std::vector<std::string> RunningJob::last_words() const {
  std::vector<std::string> lines = last_words_.lines();
  for (std::string& line : faults_.lines()) lines.push_back(std::move(line));
  return lines;
}

}  // namespace cohort
