// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/inquiries.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include "launcher/host/report.hpp"
#include "launcher/job/deadlock.hpp"

namespace cohort {

namespace {

using std::chrono::milliseconds;
using Stage = Roster::Stage;

constexpr milliseconds inquiry_limit(1'000);
constexpr milliseconds stack_limit(12'000);  // the agent gives a debugger 10 s

// The shortest wait of those that exceed `patience_s`: that thread became impatient last.
double latest_impatience(const process::v1::Doing& doing, double patience_s) {
  double seconds = doing.waits().empty() ? 0 : 1e9;
  for (const process::v1::Wait& wait : doing.waits()) {
    if (wait.seconds() >= patience_s) seconds = std::min(seconds, wait.seconds());
  }
  return seconds;
}

// The processes that can answer.
std::set<Pid> able(const Roster& roster) {
  std::set<Pid> able;
  for (Pid pid = 0; roster.all_joined() && pid < roster.ranks(); ++pid) {
    if (roster.stage(pid) != Stage::ended) able.insert(pid);
  }
  return able;
}

}  // namespace

v1::ToHost Inquiries::next_question(bool stacks) {
  v1::ToHost question;
  question.mutable_ask()->set_question(++questions_);
  question.mutable_ask()->set_stacks(stacks);
  return question;
}

std::optional<v1::ToHost> Inquiries::describe(Occasion occasion, const JobMembership& members, Attended now) {
  occasions_.push_back(std::move(occasion));
  if (inquiry_.running()) return std::nullopt;
  v1::ToHost question = next_question(settings_.stacks);
  std::set<Pid> asked = able(members.roster());
  const bool anyone = !asked.empty();
  inquiry_.begin(questions_, std::move(asked), settings_.stacks ? stack_limit : inquiry_limit, now);
  return anyone ? std::optional(std::move(question)) : std::nullopt;
}

// A wait that began before the last report is in that report, so it gets no headline of its own.
std::optional<occasion::Headline> Inquiries::does(Pid pid, process::v1::Doing&& doing, Clock::time_point now) {
  std::optional<occasion::Headline> headline;
  if (doing.reason() == process::v1::Doing::IMPATIENT) {
    const double waited_s = latest_impatience(doing, settings_.patience_s);
    const Clock::time_point began = now - duration_of(waited_s);
    if (!long_wait_reported_ || began >= *long_wait_reported_) {
      long_wait_reported_ = now;
      headline = {"rank " + std::to_string(pid) + " has waited for " + in_words(waited_s) +
                  " (--patience); what the processes are doing:"};
    }
  }
  if (doing.reason() != process::v1::Doing::ASKED && settings_.develop) deadlock_.waits(pid, doing);
  deadlock_.answered(pid, process::v1::Doing(doing));
  inquiry_.answered(pid, std::move(doing));
  return headline;
}

void Inquiries::unable(Pid pid) {
  inquiry_.unable(pid);
  deadlock_.unable(pid);
}

void Inquiries::time_up(Attended now) {
  inquiry_.time_up(now);
  deadlock_.time_up(now);
}

std::vector<Occasion> Inquiries::take_described() {
  return inquiry_.take_over() ? std::exchange(occasions_, {}) : std::vector<Occasion>();
}

std::string Inquiries::report(const JobMembership& members) const {
  std::string text;
  for (Pid pid = 0; pid < members.roster().ranks(); ++pid) {
    text += (pid > 0 ? "\n  " : "  ") + members.name(pid) + ": " + describe_process(pid, members, inquiry_.answers());
  }
  return text;
}

std::string Inquiries::describe_process(Pid pid, const JobMembership& members, const Inquiry::Answers& answers) const {
  switch (members.roster().stage(pid)) {
    case Stage::waiting:
      return "is to be started";
    case Stage::started:
      return "runs, and has not joined the job";
    case Stage::joining:
      return "joins the job, does not listen yet";
    case Stage::ended:
      return "has ended";
    case Stage::joined:
    case Stage::left:
      break;
  }
  if (!members.roster().all_joined()) return "joins the job, waits for the others to join";
  const std::optional<process::v1::Doing>& doing = answers[static_cast<std::size_t>(pid)];
  if (!doing) return "does not answer";
  std::string text = cohort::describe(pid, *doing);
  std::istringstream stack(doing->stack());
  for (std::string line; std::getline(stack, line);) text += "\n      " + line;
  return text;
}

// --- deadlocks

std::optional<v1::ToHost> Inquiries::take_search(const JobMembership& members, Attended now) {
  if (!deadlock_.take_question(members.survivors())) return std::nullopt;
  v1::ToHost question = next_question(/*stacks=*/false);
  std::set<Pid> asked = able(members.roster());
  const bool anyone = !asked.empty();
  deadlock_.asked(questions_, std::move(asked), now);
  return anyone ? std::optional(std::move(question)) : std::nullopt;
}

std::optional<Inquiries::Deadlock> Inquiries::take_deadlock(const JobMembership& members, Attended now) {
  const std::set<Pid> found = deadlock_.take_found(members.survivors(), now);
  if (found.empty()) return std::nullopt;
  std::string lists;
  for (const Pid pid : found) {
    if (lists.empty()) lists = deadlock_.said()[static_cast<std::size_t>(pid)]->lists();
  }
  std::string line = "deadlock: these processes wait for one another for ever, and nothing is on its way:";
  for (const Pid pid : found) {
    line += "\n  " + members.name(pid) + ": " + describe_process(pid, members, deadlock_.said());
  }
  if (!lists.empty()) line += "\n  " + lists;
  return Deadlock{sentence_of(found) + (lists.empty() ? "" : "; " + lists), std::move(line)};
}

}  // namespace cohort
