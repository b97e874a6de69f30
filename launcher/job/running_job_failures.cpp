// Who is lost, and why: the launcher's word on it is the only one. Each loss is numbered, and all are told.
#include <algorithm>
#include <csignal>
#include <utility>

#include "launcher/host/endings.hpp"
#include "launcher/host/report.hpp"
#include "launcher/job/running_job.hpp"
#include "launcher/printable.hpp"
#include "runtime/control/failure_message.hpp"
#include "runtime/control/group_message.hpp"

namespace cohort {

namespace {

using Stage = Roster::Stage;

constexpr auto closed_words = "closed its links without leaving the job, and has not ended since";

// And not because something killed it.
bool ended_itself(const Failure& failure) {
  return failure.cause == FailureCause::exit || (failure.cause == FailureCause::signal && failure.status == SIGABRT);
}

}  // namespace

void RunningJob::fail(Failure failure, int exit_status) {
  const Pid pid = failure.pid;
  if (lose(std::move(failure), exit_status)) gone({pid});
}

// Returns false for one that was lost before. Who is lost with others is gone with them: only then is anything
// answered.
bool RunningJob::lose(Failure failure, int exit_status) {
  constexpr int named = 8;  // in the line that sums up
  const Pid pid = failure.pid;
  if (!roster_.lost(pid)) return false;  // the first cause is the one that counts
  const HostPlan& host = hosts_.of(pid).plan;
  failure.number = static_cast<std::uint32_t>(roster_.lost_count());
  failure.host = host.name;
  failure.incarnation = addresses_[static_cast<std::size_t>(pid)].incarnation;
  failure.when = now_.date;
  if (failure.seen_by.empty()) failure.seen_by = host.local ? "the launcher" : "the agent of " + host.name;
  if (roster_.anyone_joining() && !roster_.all_joined()) {
    failure.words +=
        " (not in the job yet: " + roster_.list({Stage::waiting, Stage::started, Stage::joining, Stage::ended}) + ")";
  }
  const std::optional<Blamed> blamed = behind(failure);
  const std::string line = line_of(failure, blamed);
  v1::ToHost message;
  write(failure, *message.mutable_failure());
  tell_all(std::move(message));
  if (goes_on()) {
    if (failure.number == 1) record_.first_loss = exit_status;
    if (record_.first_own_end == 0 && ended_itself(failure)) record_.first_own_end = exit_status;
    say("cohort: " + line + "; the job goes on\n");
    return true;
  }
  if (failure.number == 1 && !phases_.early()) {
    last_words_.failures = last_words_.lines.size();
  } else if (last_words_.failures && failure.number <= named) {
    last_words_.lines[*last_words_.failures] += ", " + line;
  }
  end_early(ended_by::Failure{exit_status, blamed ? std::optional(blamed->culprit) : std::nullopt}, line);
  return true;
}

// Another's mistake that a failure follows from. In a job that ends, the first cause is what counts: a process that
// ends by itself may only follow another's mistake.
std::optional<Blamed> RunningJob::behind(const Failure& failure) const {
  if (!ended_itself(failure) || goes_on()) return std::nullopt;
  std::optional<Blamed> behind = blames_.behind(failure.pid);
  return behind && roster_.known(behind->culprit) ? behind : std::nullopt;
}

std::string RunningJob::line_of(const Failure& failure, const std::optional<Blamed>& behind) const {
  if (!behind) return name(failure.pid) + " " + failure.words;
  const std::string then =
      blames_.by_error(failure.pid) ? "" : "; rank " + std::to_string(failure.pid) + " " + failure.words;
  return name(behind->culprit) + ": " + behind->cause + then;
}

void RunningJob::ended(HostState& host, const v1::Ended& message) {
  const Pid pid = message.pid();
  const int wait_status = message.wait_status();
  ++host.ended;
  const std::optional<std::string> words = roster_.ended(pid, wait_status);
  unable(pid);
  // While the job ends early others end too, because of it: by an exit status, or by an exception that nobody catches.
  // One that is killed otherwise, before any signal of ours, is news; and whose mistake it was says how it ends.
  const bool signalled = escalation_.has_signalled();
  const bool killed = WIFSIGNALED(wait_status) && WTERMSIG(wait_status) != SIGABRT;
  const bool news = roster_.lost_count() > 0 && !signalled && killed;
  if (words && (!phases_.early() || news)) {
    fail_by_end(pid, wait_status, *words, message.out_of_memory());
  } else if (phases_.culprit() == pid && !signalled && wait_status != 0) {
    record_.culprit_end = exit_code(wait_status);
  }
  finish_if_ended();
}

void RunningJob::unable(Pid pid) {
  inquiry_.unable(pid);
  deadlock_.unable(pid);
}

void RunningJob::fail_by_end(Pid pid, int wait_status, const std::string& ending, bool out_of_memory) {
  const bool killed = WIFSIGNALED(wait_status);
  const bool by_itself = !killed || WTERMSIG(wait_status) == SIGABRT;
  fail({.pid = pid,
        .cause = out_of_memory ? FailureCause::out_of_memory
                 : killed      ? FailureCause::signal
                               : FailureCause::exit,
        .status = killed ? WTERMSIG(wait_status) : WEXITSTATUS(wait_status),
        .words = (by_itself ? blames_.words(pid, ending) : ending) + (out_of_memory ? ", out of memory" : "")},
       std::max(exit_code(wait_status), 1));
}

// It has left in order: what the others still do is not ended for it.
void RunningJob::mistaken(Pid pid, const std::string& what) {
  if (!escalation_.has_signalled()) record_.mistaken.insert(pid);
  if (!phases_.early()) last_words_.lines.push_back(name(pid) + " left the job with a mistake: " + what);
}

void RunningJob::blames(const v1::Blames& message) {
  const process::v1::Blame& said = message.blame();
  if (said.by() != process::v1::Blame::LONGJMP) {
    return blames_.heard(message.by(), {said.pid(), said.cause(), static_cast<Blamed::By>(said.by())});
  }
  give_up({.pid = message.by(), .cause = FailureCause::refused, .words = printable(on_one_line(said.cause()))});
}

void RunningJob::refused(const v1::Refuses& message) {
  give_up({.pid = message.pid(), .cause = FailureCause::refused, .words = "was refused: " + message.reason()});
}

// It lives, and is not to go on beside a job that goes on without it.
void RunningJob::give_up(Failure failure) {
  const Pid pid = failure.pid;
  fail(std::move(failure), 1);
  if (goes_on()) kill(pid);
}

void RunningJob::kill(Pid pid) {
  v1::ToHost message;
  message.mutable_kill()->set_pid(pid);
  tell_all(std::move(message));
}

void RunningJob::stalled(const v1::Stalled& message) {
  const Pid pid = message.pid();
  if (phases_.early() || roster_.stage(pid) == Stage::ended) return;
  if (!message.too_long()) {
    const std::string limit =
        plan_.stall_limit_s > 0 ? "; it is given up after " + in_words(plan_.stall_limit_s) + " (--stall-limit)" : "";
    return say("cohort: warning: " + name(pid) + " is stalled: something has stopped it" + limit + "\n");
  }
  fail({.pid = pid,
        .cause = FailureCause::stalled,
        .words = "was given up: stalled, stopped for " + in_words(message.seconds())},
       1);
  kill(pid);  // so that it does not wake in a job that goes on, or has ended, without it
}

// --- hosts

void RunningJob::lost(int number, const std::string& cause) {
  HostState& host = hosts_.at(number);
  const JobHosts::Stage stage = std::exchange(host.stage, JobHosts::Stage::lost);
  if (stage == JobHosts::Stage::lost) return;
  if (!phases_.has_processes()) {
    end_early(ended_by::Unreachable{}, "host " + host.plan.name + ": " + cause);
  } else if (stage != JobHosts::Stage::finished) {
    std::vector<Pid> together;
    for (Pid pid = host.plan.first; pid < host.plan.first + host.plan.count; ++pid) {
      if (roster_.stage(pid) == Stage::ended) continue;
      roster_.ended(pid, 0);
      unable(pid);
      const bool news = lose({.pid = pid,
                              .cause = FailureCause::host,
                              .words = "was lost with its host: " + cause,
                              .seen_by = "the launcher"},
                             1);
      if (news) together.push_back(pid);
    }
    gone(together);
  }
  host.expected = host.ended;
  finish_if_ended();
  finish_if_all_hosts_did();
}

// --- links

void RunningJob::closes(const v1::Closes& message) {
  if (phases_.early()) return;
  const std::optional<int> how = message.status_known() ? std::optional(message.wait_status()) : std::nullopt;
  verdicts_.closes({message.pid(), message.ended(), how, message.out_of_memory()}, now_.attended);
}

void RunningJob::give_up_closed(const Closing& closing) {
  const Pid pid = closing.pid;
  if (phases_.early() || roster_.stage(pid) == Stage::ended || roster_.is_lost(pid)) return;
  if (closing.wait_status) {
    const std::string ending = describe_ending(*closing.wait_status);
    fail_by_end(pid, *closing.wait_status, ending + (*closing.wait_status == 0 ? " without leaving the job" : ""),
                closing.out_of_memory);
    if (goes_on()) kill(pid);  // what is left of it
  } else if (closing.ended) {
    give_up({.pid = pid, .words = "has ended without leaving the job, below a process that goes on"});
  } else {
    give_up({.pid = pid, .cause = FailureCause::link, .words = closed_words});
  }
}

void RunningJob::suspects(Pid by, const process::v1::Suspect& suspect) {
  if (phases_.early() || !roster_.known(suspect.pid())) return;  // some leave before others
  verdicts_.suspects(by, suspect.pid(), suspect.cause(), now_.attended);
}

// A host that does not answer may be lost before it does.
void RunningJob::ask_for_deaths() {
  const std::optional<std::uint32_t> number = verdicts_.ask();
  if (!number) return;
  v1::ToHost question;
  question.mutable_beat()->set_question(*number);
  tell_all(std::move(question));
}

void RunningJob::answered(int host, std::uint32_t question) {
  if (question == 0) return;  // a beat
  verdicts_.answered(host, question);
  judge_links(/*patient=*/true);
}

// What is left of the accusations when those are gone that a death explains.
void RunningJob::judge_links(bool patient) {
  while (const std::optional<Accusation> broken = verdicts_.judge(roster_, patient)) {
    give_up({.pid = broken->of,
             .cause = FailureCause::link,
             .words = verdicts_.has_closed(broken->of) ? closed_words
                                                       : "lost its link to pid " + std::to_string(broken->by) + " on " +
                                                             hosts_.of(broken->by).plan.name + ": " + broken->cause,
             .seen_by = "pid " + std::to_string(broken->by)});
  }
}

// --- survivors

void RunningJob::asks_survivors(Pid by, const process::v1::AskSurvivors& message) {
  const auto members = from_sequences({message.members().begin(), message.members().end()}, plan_.ranks);
  if (!members) return;
  const Survivors::Question question{read(message.group()), message.number()};
  if (const auto answer = survivors_.asked(by, question, *members)) tell(*answer);
}

void RunningJob::tell(const Survivors::Answer& answer) {
  v1::ToHost message;
  process::v1::Survivors& survivors = *message.mutable_survivors();
  write(answer.question.group, *survivors.mutable_group());
  survivors.set_number(answer.question.number);
  *survivors.mutable_absent() = {answer.absent.begin(), answer.absent.end()};
  tell_all(std::move(message));
}

}  // namespace cohort
