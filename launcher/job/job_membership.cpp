// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/job_membership.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "launcher/host/endings.hpp"
#include "launcher/host/report.hpp"
#include "launcher/job/exit_status.hpp"
#include "launcher/printable.hpp"
#include "runtime/control/group_message.hpp"

namespace cohort {

namespace {

using Stage = Roster::Stage;

constexpr auto closed_words = "closed its links without leaving the job, and has not ended since";

// By exit or abort, not by another signal.
bool ended_itself(const Failure& failure) {
  return failure.cause == FailureCause::exit || (failure.cause == FailureCause::signal && failure.status == SIGABRT);
}

std::vector<int> host_numbers(const std::vector<HostPlan>& hosts) {
  std::vector<int> numbers;  // by pid
  for (const HostPlan& host : hosts) {
    numbers.insert(numbers.end(), static_cast<std::size_t>(host.count), static_cast<int>(&host - hosts.data()));
  }
  return numbers;
}

int ranks_of(const std::vector<HostPlan>& hosts) { return hosts.back().first + hosts.back().count; }

}  // namespace

JobMembership::JobMembership(std::vector<HostPlan> hosts, const Settings& settings)
    : hosts_(std::move(hosts)),
      settings_(settings),
      roster_(ranks_of(hosts_)),
      verdicts_(host_numbers(hosts_)),
      blames_(ranks_of(hosts_)) {}

const HostPlan& JobMembership::host_of(Pid pid) const {
  return *std::ranges::find_if(hosts_, [pid](const HostPlan& host) { return host.has(pid); });
}

std::string JobMembership::name(Pid pid) const {
  return "rank " + std::to_string(pid) + " (host " + host_of(pid).name + ", process " +
         std::to_string(roster_.process(pid)) + ")";
}

// --- the job

void JobMembership::runs() { job_ = std::max(job_, Job::runs); }

void JobMembership::ends() {
  job_ = std::max(job_, Job::ends);
  verdicts_.stop();
}

void JobMembership::signalled() { job_ = std::max(job_, Job::has_signalled); }

// --- processes that come and go

News JobMembership::joining(Pid pid, const Moment& now) {
  now_ = now;
  if (const auto missing = roster_.joining(pid)) {
    fail({.pid = missing->pid, .cause = FailureCause::exit, .words = missing->cause}, error_status);
  }
  return take();
}

News JobMembership::left(Pid pid) {
  roster_.left(pid);
  gone({pid});
  return take();
}

// These processes have left or are lost. Processes that wait for them to ask for survivors get their answers.
void JobMembership::gone(const std::vector<Pid>& pids) {
  for (const Survivors::Answer& answer : survivors_.gone(pids)) tell(answer);
  if (roster_.all_left()) tell_all().mutable_all_left();
}

// When a job ends early, other processes end as a consequence: with an exit status, or by an uncaught exception. These
// ends are no losses. A process that another signal kills, before the job sends one, is a loss of its own.
News JobMembership::ended(const v1::Ended& message, const Moment& now) {
  now_ = now;
  const Pid pid = message.pid();
  const int wait_status = message.wait_status();
  const std::optional<std::string> words = roster_.ended(pid, wait_status);
  const bool killed = WIFSIGNALED(wait_status) && WTERMSIG(wait_status) != SIGABRT;
  const bool news = roster_.lost_count() > 0 && job_ != Job::has_signalled && killed;
  if (words && (!early() || news)) {
    fail_by_end(pid, wait_status, *words, message.out_of_memory());
  } else {
    news_.emplace_back(news::Ended{pid, wait_status});
  }
  return take();
}

News JobMembership::lost_host(const HostPlan& host, const std::string& cause, const Moment& now) {
  now_ = now;
  std::vector<Pid> together;
  for (Pid pid = host.first; pid < host.first + host.count; ++pid) {
    if (roster_.stage(pid) == Stage::ended) continue;
    roster_.ended(pid, 0);
    const bool news = lose({.pid = pid,
                            .cause = FailureCause::host,
                            .words = "was lost with its host: " + cause,
                            .seen_by = "the launcher"},
                           error_status);
    if (news) together.push_back(pid);
  }
  gone(together);
  return take();
}

News JobMembership::not_joined_in_time(const std::string& limit, const Moment& now) {
  now_ = now;
  Pid pid = 0;
  while (pid < roster_.ranks() && roster_.has_joined(pid)) ++pid;
  if (pid == roster_.ranks()) return {};
  fail(
      {.pid = pid, .cause = FailureCause::stalled, .words = "has not joined the job within " + limit + " of the first"},
      error_status);
  return take();
}

// --- losses

void JobMembership::fail(Failure failure, int exit_status) {
  const Pid pid = failure.pid;
  if (lose(std::move(failure), exit_status)) gone({pid});
}

// Returns false if the process was lost before. After this, gone() must be called: once for all processes that are lost
// together.
bool JobMembership::lose(Failure failure, int exit_status) {
  if (!roster_.lost(failure.pid)) return false;  // the first cause counts
  const HostPlan& host = host_of(failure.pid);
  failure.number = static_cast<std::uint32_t>(roster_.lost_count());
  failure.host = host.name;
  failure.when_us = std::chrono::duration_cast<std::chrono::microseconds>(now_.date.time_since_epoch()).count();
  if (failure.seen_by.empty()) failure.seen_by = host.local ? "the launcher" : "the agent of " + host.name;
  if (roster_.anyone_joining() && !roster_.all_joined()) {
    failure.words +=
        " (not in the job yet: " + roster_.list({Stage::waiting, Stage::started, Stage::joining, Stage::ended}) + ")";
  }
  const std::optional<Blamed> blamed = behind(failure);
  std::string line = line_of(failure, blamed);
  const bool by_itself = ended_itself(failure);
  news_.emplace_back(news::Lost{std::move(failure), exit_status, blamed ? std::optional(blamed->culprit) : std::nullopt,
                                std::move(line), by_itself, goes_on()});
  if (!goes_on()) ends();
  return true;
}

// The mistake of another process that caused this failure, if the failed process ended by itself. A job that goes on
// names no such mistake: only in a job that ends does the first cause count.
std::optional<Blamed> JobMembership::behind(const Failure& failure) const {
  if (!ended_itself(failure) || goes_on()) return std::nullopt;
  std::optional<Blamed> behind = blames_.behind(failure.pid);
  return behind && roster_.known(behind->culprit) ? behind : std::nullopt;
}

std::string JobMembership::line_of(const Failure& failure, const std::optional<Blamed>& behind) const {
  if (!behind) return name(failure.pid) + " " + failure.words;
  const std::string then =
      blames_.by_error(failure.pid) ? "" : "; rank " + std::to_string(failure.pid) + " " + failure.words;
  return name(behind->culprit) + ": " + behind->cause + then;
}

void JobMembership::fail_by_end(Pid pid, int wait_status, const std::string& ending, bool out_of_memory) {
  const bool killed = WIFSIGNALED(wait_status);
  const bool by_itself = !killed || WTERMSIG(wait_status) == SIGABRT;
  fail({.pid = pid,
        .cause = out_of_memory ? FailureCause::out_of_memory
                 : killed      ? FailureCause::signal
                               : FailureCause::exit,
        .status = killed ? WTERMSIG(wait_status) : WEXITSTATUS(wait_status),
        .words = (by_itself ? blames_.words(pid, ending) : ending) + (out_of_memory ? ", out of memory" : "")},
       std::max(exit_code(wait_status), error_status));
}

// Gives up a process that still lives. If the job goes on, the process is killed: it must not run beside the job.
void JobMembership::give_up(Failure failure) {
  const Pid pid = failure.pid;
  fail(std::move(failure), error_status);
  if (goes_on()) kill(pid);
}

void JobMembership::kill(Pid pid) { tell_all().mutable_kill()->set_pid(pid); }

// --- trouble

News JobMembership::heard(const v1::FromHost& message, const Moment& now) {
  now_ = now;
  using v1::FromHost;
  switch (message.body_case()) {
    case FromHost::kRefuses:
      give_up({.pid = message.refuses().pid(),
               .cause = FailureCause::refused,
               .words = "was refused: " + message.refuses().reason()});
      break;
    case FromHost::kSuspects: {
      const process::v1::Suspect& suspect = message.suspects().suspect();
      if (early() || !roster_.known(suspect.pid())) break;  // in a job that ends, links break because processes end
      verdicts_.suspects(message.suspects().by(), suspect.pid(), suspect.cause(), now.attended);
      break;
    }
    case FromHost::kAsksSurvivors:
      asks_survivors(message.asks_survivors());
      break;
    case FromHost::kCloses: {
      const v1::Closes& closes = message.closes();
      const std::optional<int> how = closes.status_known() ? std::optional(closes.wait_status()) : std::nullopt;
      if (!early()) verdicts_.closes({closes.pid(), closes.ended(), how, closes.out_of_memory()}, now.attended);
      break;
    }
    case FromHost::kBlames:
      blames(message.blames());
      break;
    case FromHost::kStalled:
      stalled(message.stalled());
      break;
    default:
      break;  // a message of a newer version
  }
  return take();
}

void JobMembership::blames(const v1::Blames& message) {
  const process::v1::Blame& said = message.blame();
  if (said.by() == process::v1::Blame::ABORT) return aborts(message);
  if (said.by() != process::v1::Blame::LONGJMP) {
    return blames_.heard(message.by(), {said.pid(), said.cause(), static_cast<Blamed::By>(said.by())});
  }
  give_up({.pid = message.by(), .cause = FailureCause::refused, .words = printable(on_one_line(said.cause()))});
}

// A process is about to end, and these members with it. In a job that goes on for others, they are killed before
// anybody hears of it, so that none of them reports the loss of another.
void JobMembership::aborts(const v1::Blames& message) {
  const process::v1::Blame& said = message.blame();
  const auto members = from_sequences({said.members().begin(), said.members().end()}, roster_.ranks());
  if (!members) return;
  std::vector<Pid> ending;
  bool others = false;  // also those that have left
  for (Pid pid = 0; pid < roster_.ranks(); ++pid) {
    if (pid == message.by() || roster_.is_lost(pid)) continue;
    const bool ends = members->empty() || std::ranges::find(*members, pid) != members->end();
    others = others || !ends;
    if (ends && roster_.stage(pid) < Stage::left) ending.push_back(pid);
  }
  if (!goes_on() || !others) {
    job_ = std::max(job_, Job::aborts);  // the loss of the process that aborts the job ends it
    return;
  }
  for (const Pid pid : ending) kill(pid);
  for (const Pid pid : ending) {
    fail({.pid = pid,
          .cause = FailureCause::signal,
          .status = SIGKILL,
          .words = "was ended with its communicator: " + printable(on_one_line(said.cause()))},
         error_status);
  }
}

void JobMembership::stalled(const v1::Stalled& message) {
  const Pid pid = message.pid();
  if (early() || roster_.stage(pid) == Stage::ended) return;
  if (!message.too_long()) {
    const double limit_s = settings_.stall_limit_s;
    const std::string limit = limit_s > 0 ? "; it is given up after " + in_words(limit_s) + " (--stall-limit)" : "";
    news_.emplace_back(news::Warning{name(pid) + " is stalled: something has stopped it" + limit});
    return;
  }
  fail({.pid = pid,
        .cause = FailureCause::stalled,
        .words = "was given up: stalled, stopped for " + in_words(message.seconds())},
       error_status);
  kill(pid);  // the process must not wake up after it was given up
}

void JobMembership::asks_survivors(const v1::AsksSurvivors& message) {
  const process::v1::AskSurvivors& asked = message.question();
  const auto members = from_sequences({asked.members().begin(), asked.members().end()}, roster_.ranks());
  if (!members) return;
  const Survivors::Question question{read(asked.group()), asked.number()};
  if (const auto answer = survivors_.asked(message.by(), question, *members)) tell(*answer);
}

void JobMembership::tell(const Survivors::Answer& answer) {
  process::v1::Survivors& survivors = *tell_all().mutable_survivors();
  write(answer.question.group, *survivors.mutable_group());
  survivors.set_number(answer.question.number);
  *survivors.mutable_gone() = {answer.gone.begin(), answer.gone.end()};
}

// --- links

News JobMembership::time_up(const Moment& now) {
  now_ = now;
  while (const std::optional<Closing> closing = verdicts_.take_closing(now.attended)) give_up_closed(*closing);
  if (verdicts_.take_time_up(now.attended)) {
    judge_links(/*patient=*/settings_.host_limit_s > 0);  // without a limit, a silent host would delay this for ever
    if (const auto question = verdicts_.ask()) tell_all().mutable_beat()->set_question(*question);
  }
  return take();
}

News JobMembership::answered(int host, std::uint32_t question, const Moment& now) {
  now_ = now;
  verdicts_.answered(host, question);
  judge_links(/*patient=*/true);
  return take();
}

void JobMembership::give_up_closed(const Closing& closing) {
  const Pid pid = closing.pid;
  if (early() || roster_.stage(pid) == Stage::ended || roster_.is_lost(pid)) return;
  if (closing.wait_status) {
    const std::string ending = describe_ending(*closing.wait_status);
    fail_by_end(pid, *closing.wait_status, ending + (*closing.wait_status == 0 ? " without leaving the job" : ""),
                closing.out_of_memory);
    if (goes_on()) kill(pid);  // the shell above the process still runs
  } else if (closing.ended) {
    give_up({.pid = pid, .words = "has ended without leaving the job, below a process that goes on"});
  } else {
    give_up({.pid = pid, .cause = FailureCause::link, .words = closed_words});
  }
}

// Gives up a process for each decided accusation.
void JobMembership::judge_links(bool patient) {
  while (const std::optional<Accusation> broken = verdicts_.judge(roster_, patient)) {
    give_up({.pid = broken->of,
             .cause = FailureCause::link,
             .words = verdicts_.has_closed(broken->of) ? closed_words
                                                       : "lost its link to pid " + std::to_string(broken->by) + " on " +
                                                             host_of(broken->by).name + ": " + broken->cause,
             .seen_by = "pid " + std::to_string(broken->by)});
  }
}

}  // namespace cohort
