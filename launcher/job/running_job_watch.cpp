// What the job's processes are doing: asked for and told, by whatever occasion.
#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

#include "launcher/host/report.hpp"
#include "launcher/job/running_job.hpp"
#include "launcher/usage_error.hpp"
#include "runtime/control/faults_message.hpp"

namespace cohort {

namespace {

using std::chrono::milliseconds;
using Stage = Roster::Stage;

constexpr milliseconds answer_limit(1'000);
constexpr milliseconds stack_limit(12'000);  // a debugger has 10 s

// How long the thread has waited that became impatient last.
double latest_impatience(const process::v1::Doing& doing, double patience_s) {
  double seconds = doing.waits().empty() ? 0 : 1e9;
  for (const process::v1::Wait& wait : doing.waits()) {
    if (wait.seconds() >= patience_s) seconds = std::min(seconds, wait.seconds());
  }
  return seconds;
}

}  // namespace

// All who can answer: returns who that is.
std::set<Pid> RunningJob::ask(bool stacks) {
  std::set<Pid> asked;
  for (Pid pid = 0; roster_.all_joined() && pid < plan_.ranks; ++pid) {
    if (roster_.stage(pid) != Stage::ended) asked.insert(pid);
  }
  v1::ToHost message;
  message.mutable_ask()->set_question(++questions_);
  message.mutable_ask()->set_stacks(stacks);
  if (!asked.empty()) tell_all(std::move(message));
  return asked;
}

void RunningJob::describe_processes(Occasion occasion) {
  occasions_.push_back(std::move(occasion));
  if (inquiry_.running()) return;
  std::set<Pid> asked = ask(plan_.stacks);
  inquiry_.begin(questions_, std::move(asked), plan_.stacks ? stack_limit : answer_limit, now_.attended);
}

void RunningJob::described(const Occasion& occasion) {
  if (const auto* const asked = std::get_if<event::Describe>(&occasion)) {
    commands_.push_back(command::Reply{asked->asker, report() + "\n"});
  } else if (const auto* const headline = std::get_if<Headline>(&occasion)) {
    say("cohort: " + headline->words + "\n" + report() + "\n");
  } else if (!phases_.over()) {
    const std::string& words = std::get<TimeoutLine>(occasion).words;
    end_early(ended_by::Timeout{}, words + (phases_.has_processes() ? "\n" + report() : ""));
  }
}

void RunningJob::does(Pid pid, process::v1::Doing&& doing) {
  if (!makes_sense(doing, plan_.ranks)) return;  // no agent of ours passes it on
  if (doing.reason() == process::v1::Doing::IMPATIENT) report_long_wait(pid, doing);
  if (doing.reason() != process::v1::Doing::ASKED && plan_.develop) deadlock_.waits(pid, doing);
  deadlock_.answered(pid, process::v1::Doing(doing));
  inquiry_.answered(pid, std::move(doing));
}

// Once for a hang: waits that had begun before the last report are in it.
void RunningJob::report_long_wait(Pid pid, const process::v1::Doing& doing) {
  const double waited_s = latest_impatience(doing, plan_.patience_s);
  const Clock::time_point began = now_.clock - duration_of(waited_s);
  if (phases_.early() || (long_wait_reported_ && began < *long_wait_reported_)) return;
  long_wait_reported_ = now_.clock;
  describe_processes(Headline{"rank " + std::to_string(pid) + " has waited for " + in_words(waited_s) +
                              " (--patience); what the processes are doing:"});
}

std::string RunningJob::report() const {
  std::string text;
  for (Pid pid = 0; pid < plan_.ranks; ++pid)
    text += "  " + name(pid) + ": " + describe_process(pid, inquiry_.answers()) + "\n";
  text.pop_back();
  return text;
}

std::string RunningJob::describe_process(Pid pid, const Inquiry::Answers& answers) const {
  switch (roster_.stage(pid)) {
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
  if (!roster_.all_joined()) return "joins the job, waits for the others to join";
  const std::optional<process::v1::Doing>& doing = answers[static_cast<std::size_t>(pid)];
  if (!doing) return "does not answer";
  std::string text = describe(pid, *doing);
  std::istringstream stack(doing->stack());
  for (std::string line; std::getline(stack, line);) text += "\n      " + line;
  return text;
}

// Answered with what is wrong with them, or nothing.
void RunningJob::hear(event::Inject&& event) {
  std::string wrong;
  try {
    if (roster_.all_joined()) {
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

}  // namespace cohort
