// Who is lost, and why: the launcher's word on it is the only one. Each loss is numbered, and all are told.
#include <algorithm>
#include <array>
#include <csignal>
#include <utility>

#include "launcher/host/endings.hpp"
#include "launcher/host/report.hpp"
#include "launcher/job/running_job.hpp"
#include "launcher/printable.hpp"
#include "proto/control.pb.h"
#include "runtime/control/failure_message.hpp"
#include "runtime/control/group_message.hpp"

namespace cohort {

namespace {

using std::chrono::milliseconds;
using Stage = Roster::Stage;

constexpr milliseconds verdict_time(400);  // for the death that broke a link to become known, and for more broken links
constexpr milliseconds ending_patience(3'000);  // for a process to end once it has closed its control link
constexpr milliseconds shell_patience(500);     // for a shell to end once the process that it has started has
constexpr auto closed_words = "closed its links without leaving the job, and has not ended since";

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
  const HostState& host = host_of(pid);
  failure.number = ++failures_;
  failure.host = host.plan.name;
  failure.incarnation = addresses_[static_cast<std::size_t>(pid)].incarnation;
  failure.when = std::chrono::system_clock::now();
  if (failure.seen_by.empty()) failure.seen_by = host.plan.local ? "the launcher" : "the agent of " + host.plan.name;
  if (roster_.anyone_joining() && !roster_.all_joined()) {
    failure.words +=
        " (not in the job yet: " + roster_.list({Stage::waiting, Stage::started, Stage::joining, Stage::ended}) + ")";
  }
  const std::string line = line_of(failure);
  v1::ToHost message;
  write(failure, *message.mutable_failure());
  tell_all(message);
  if (goes_on()) {
    const bool by_itself = failure.cause == FailureCause::exit || failure.status == SIGABRT;
    if (failures_ == 1) record_.first_loss = exit_status;
    if (by_itself && record_.first_own_end == 0) record_.first_own_end = exit_status;
    output_.say("cohort: " + line + "; the job goes on\n");
    return true;
  }
  if (failures_ == 1 && !phases_.early())
    failure_line_ = lines_.size();
  else if (failure_line_ && failures_ <= named)
    lines_[*failure_line_] += ", " + line;
  end_early(ended_by::Failure{exit_status, culprit_}, line);
  return true;
}

void RunningJob::ended(HostState& host, const v1::Ended& message) {
  const Pid pid = message.pid();
  const int wait_status = message.wait_status();
  const bool killed = WIFSIGNALED(wait_status);
  ++host.ended;
  const std::optional<std::string> words = roster_.ended(pid, wait_status);
  inquiry_.unable(pid);
  deadlock_inquiry_.unable(pid);
  // While the job ends early others end too, because of it: by an exit status, or by an exception that nobody catches.
  // One that is killed otherwise, before any signal of ours, is news; and whose mistake it was says how it ends.
  const bool news = failures_ > 0 && !escalation_.has_signalled() && killed && WTERMSIG(wait_status) != SIGABRT;
  if (words && (!phases_.early() || news)) {
    fail_by_end(pid, wait_status, *words, message.out_of_memory());
  } else if (culprit_ == pid && !escalation_.has_signalled() && wait_status != 0) {
    record_.culprit_end = exit_code(wait_status);
  }
  finish_if_ended();
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

// In a job that ends, the first cause is what counts: a process that ends by itself may only follow another's mistake.
std::string RunningJob::line_of(const Failure& failure) {
  const bool by_itself =
      failure.cause == FailureCause::exit || (failure.cause == FailureCause::signal && failure.status == SIGABRT);
  const std::optional<Blamed> behind = by_itself ? blames_.behind(failure.pid) : std::nullopt;
  if (!behind || !roster_.known(behind->culprit) || goes_on()) return name(failure.pid) + " " + failure.words;
  if (!phases_.early()) culprit_ = behind->culprit;
  const std::string then =
      blames_.by_error(failure.pid) ? "" : "; rank " + std::to_string(failure.pid) + " " + failure.words;
  return name(behind->culprit) + ": " + behind->cause + then;
}

void RunningJob::blames(const v1::Blames& message) {
  const process::v1::Blame& said = message.blame();
  if (said.by() != process::v1::Blame::LONGJMP) {
    return blames_.heard(message.by(), {said.pid(), said.cause(), static_cast<Blamed::By>(said.by())});
  }
  fail({.pid = message.by(), .cause = FailureCause::refused, .words = printable(on_one_line(said.cause()))}, 1);
  if (goes_on()) kill(message.by());
}

void RunningJob::lost(int number, const std::string& cause) {
  HostState& host = hosts_.at(static_cast<std::size_t>(number));
  if (std::exchange(host.lost, true)) return;
  const bool wanted = !host.finished;
  host.finished = true;
  if (!phases_.has_processes()) {
    end_early(ended_by::Unreachable{}, "host " + host.plan.name + ": " + cause);
  } else if (wanted) {
    std::vector<Pid> together;
    for (Pid pid = host.plan.first; pid < host.plan.first + host.plan.count; ++pid) {
      if (roster_.stage(pid) == Stage::ended) continue;
      roster_.ended(pid, 0);
      inquiry_.unable(pid);
      deadlock_inquiry_.unable(pid);
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

// How it ends says more than that it has gone: its links, or, below a shell, the process that had joined.
void RunningJob::closes(const v1::Closes& message) {
  const auto [limit, first] = closed_.try_emplace(message.pid(), loop_);
  if (!first && !message.ended()) return;
  limit->second.begin(message.ended() ? shell_patience : ending_patience, [this, message] { give_up_closed(message); });
}

void RunningJob::give_up_closed(const v1::Closes& message) {
  const Pid pid = message.pid();
  if (phases_.early() || roster_.stage(pid) == Stage::ended || roster_.is_lost(pid)) return;
  if (message.status_known()) {
    const std::string ending = describe_ending(message.wait_status());
    fail_by_end(pid, message.wait_status(), ending + (message.wait_status() == 0 ? " without leaving the job" : ""),
                message.out_of_memory());
  } else if (message.ended()) {
    fail({.pid = pid, .words = "has ended without leaving the job, below a process that goes on"}, 1);
  } else {
    fail({.pid = pid, .cause = FailureCause::link, .words = closed_words}, 1);
  }
  if (goes_on()) kill(pid);  // what is left of it is not to go on beside a job that goes on without it
}

void RunningJob::suspects(Pid by, const process::v1::Suspect& suspect) {
  if (phases_.early() || !roster_.known(suspect.pid())) return;  // some leave before others
  if (accusations_.empty()) wait_for_verdict();
  accusations_.accuse(by, suspect.pid(), suspect.cause());
}

void RunningJob::wait_for_verdict() {
  verdict_limit_.begin(verdict_time, [this] {
    judge_links(/*patient=*/plan_.host_limit_s > 0);
    ask_for_deaths();
    if (!accusations_.empty()) wait_for_verdict();
  });
}

// A host that does not answer may be lost before it does.
void RunningJob::ask_for_deaths() {
  const std::optional<std::uint32_t> number = accusations_.ask();
  if (!number) return;
  v1::ToHost question;
  question.mutable_beat()->set_question(*number);
  tell_all(question);
}

void RunningJob::answered(HostState& host, std::uint32_t question) {
  if (question == 0) return;  // a beat
  host.answered = question;
  judge_links(/*patient=*/true);
}

// What is left of the accusations when those are gone that a death explains.
void RunningJob::judge_links(bool patient) {
  // They close their links, one before the other.
  if (roster_.all_left() || phases_.early()) return accusations_.clear();
  const auto is_gone = [&](Pid pid) { return roster_.is_lost(pid) || roster_.stage(pid) == Stage::ended; };
  // How it ends says more than that its links broke.
  const auto may_end = [&](Pid pid) { return closed_.contains(pid) && closed_.at(pid).running(); };
  // A host that has not answered may turn out to be lost, or to be late with a death: then it is not the link that
  // broke.
  const auto is_open = [&](const Accusation& one) {
    return std::ranges::any_of(std::array{one.by, one.of}, [&](Pid pid) {
      const bool silent = patient && host_of(pid).answered < one.question;
      return silent || may_end(pid);
    });
  };
  for (;;) {
    accusations_.forget(is_gone);
    const std::optional<Accusation> broken = accusations_.judge(is_open);
    if (!broken) return;
    fail({.pid = broken->of,
          .cause = FailureCause::link,
          .words = closed_.contains(broken->of) ? closed_words
                                                : "lost its link to pid " + std::to_string(broken->by) + " on " +
                                                      host_of(broken->by).plan.name + ": " + broken->cause,
          .seen_by = "pid " + std::to_string(broken->by)},
         1);
    if (goes_on()) kill(broken->of);  // it lives, and is not to go on beside a job that goes on without it
  }
}

void RunningJob::stalled(const v1::Stalled& message) {
  const Pid pid = message.pid();
  if (phases_.early() || roster_.stage(pid) == Stage::ended) return;
  if (!message.too_long()) {
    const std::string limit =
        plan_.stall_limit_s > 0 ? "; it is given up after " + in_words(plan_.stall_limit_s) + " (--stall-limit)" : "";
    return output_.say("cohort: warning: " + name(pid) + " is stalled: something has stopped it" + limit + "\n");
  }
  fail({.pid = pid,
        .cause = FailureCause::stalled,
        .words = "was given up: stalled, stopped for " + in_words(message.seconds())},
       1);
  kill(pid);  // so that it does not wake in a job that goes on, or has ended, without it
}

void RunningJob::kill(Pid pid) {
  v1::ToHost message;
  message.mutable_kill()->set_pid(pid);
  tell_all(message);
}

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
  tell_all(message);
}

}  // namespace cohort
