// What the job's processes are doing: asked for and printed, by whatever occasion.
#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

#include "launcher/host/report.hpp"
#include "launcher/job/running_job.hpp"
#include "launcher/printable.hpp"
#include "proto/control.pb.h"

namespace cohort {

namespace {

using std::chrono::milliseconds;
using Stage = Roster::Stage;

constexpr milliseconds status_after(200);  // so that a job of a moment does not pay for the server
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

// Asks all who can answer.
void RunningJob::ask(Inquiry& inquiry, bool stacks, std::function<void()> then) {
  std::set<Pid> asked;
  for (Pid pid = 0; roster_.all_joined() && pid < plan_.ranks; ++pid) {
    if (roster_.stage(pid) != Stage::ended) asked.insert(pid);
  }
  v1::ToHost message;
  message.mutable_ask()->set_question(++questions_);
  message.mutable_ask()->set_stacks(stacks);
  if (!asked.empty()) tell_all(message);
  inquiry.begin(questions_, std::move(asked), stacks ? stack_limit : answer_limit, std::move(then));
}

// Several occasions at a time share the answers.
void RunningJob::describe_processes(std::function<void()> then) {
  when_described_.push_back(std::move(then));
  if (inquiry_.running()) return;
  ask(inquiry_, plan_.stacks, [this] {
    for (const auto& described : std::exchange(when_described_, {})) described();
  });
}

void RunningJob::does(Pid pid, process::v1::Doing&& doing) {
  if (!makes_sense(doing, plan_.ranks)) return;  // no agent of ours passes it on
  if (doing.reason() == process::v1::Doing::IMPATIENT) report_long_wait(pid, doing);
  if (doing.reason() != process::v1::Doing::ASKED && plan_.develop) blocked(pid, doing);
  deadlock_inquiry_.answered(pid, process::v1::Doing(doing));
  inquiry_.answered(pid, std::move(doing));
}

// Once for a hang: waits that had begun before the last report are in it.
void RunningJob::report_long_wait(Pid pid, const process::v1::Doing& doing) {
  const double waited_s = latest_impatience(doing, plan_.patience_s);
  if (phases_.early() || (long_wait_reported_ && seconds_since(*long_wait_reported_) < waited_s)) return;
  long_wait_reported_ = Clock::now();
  say_what_processes_do("rank " + std::to_string(pid) + " has waited for " + in_words(waited_s) +
                        " (--patience); what the processes are doing:");
}

void RunningJob::say_what_processes_do(const std::string& headline) {
  describe_processes([this, headline] { output_.say("cohort: " + headline + "\n" + report() + "\n"); });
}

std::string RunningJob::job_line() const {
  std::string line = on_one_line(plan_.program);
  for (const std::string& argument : plan_.arguments) line += " " + on_one_line(argument);
  return "-n " + std::to_string(plan_.ranks) + " " + line + ", for " + in_words(seconds_since(begin_));
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

void RunningJob::serve_status() {
  status_timer_.expires_after(status_after);
  status_timer_.async_wait([this](const asio::error_code& error) {
    if (error) return;
    status_ = StatusServer::start(loop_, {[this] { return job_line(); },
                                          [this](const std::function<void(std::string)>& reply) {
                                            describe_processes([this, reply] { reply(report() + "\n"); });
                                          },
                                          [this](const std::string& faults) { return inject(faults); }});
  });
}

}  // namespace cohort
