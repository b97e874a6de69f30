// In develop mode: whether the processes that wait wait for ever.
#include <fmt/format.h>

#include <csignal>
#include <set>
#include <string>
#include <utility>

#include "launcher/job/deadlock.hpp"
#include "launcher/job/running_job.hpp"
#include "proto/control.pb.h"

namespace cohort {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds again_after(50);  // something was still on its way

// "ranks 0, 3 and 4 of the job wait for one another for ever", for the processes' own errors.
std::string sentence_of(const std::set<Pid>& processes) {
  constexpr std::size_t most_named = 8;
  std::string text;
  std::size_t named = 0;
  for (const Pid pid : processes) {
    if (named++ == most_named) {
      text += fmt::format(" and {} more", processes.size() - most_named);
      break;
    }
    text += (text.empty() ? "" : ", ") + std::to_string(pid);
  }
  return fmt::format("deadlock: {} {} of the job wait{} for ever", processes.size() == 1 ? "rank" : "ranks", text,
                     processes.size() == 1 ? "s" : " for one another");
}

}  // namespace

// A process has begun to wait. What others said when they did may be long past, so this only gives reason to ask.
void RunningJob::blocked(Pid pid, const process::v1::Doing& doing) {
  last_said_[static_cast<std::size_t>(pid)] = doing;
  if (!deadlock_inquiry_.running()) look_for_deadlock();
}

void RunningJob::look_for_deadlock() {
  if (phases_.early() || phases_.over() || deadlocked(last_said_, survivors_).empty()) return;
  ask(deadlock_inquiry_, false, [this] {
    last_said_ = deadlock_inquiry_.answers();
    if (deadlocked(last_said_, survivors_).empty()) return;
    ask(deadlock_inquiry_, false, [this] { judge_deadlock(); });
  });
}

void RunningJob::judge_deadlock() {
  const Inquiry::Answers before = std::exchange(last_said_, deadlock_inquiry_.answers());
  const std::set<Pid> found = deadlocked(last_said_, survivors_);
  if (found.empty() || phases_.early()) return;
  if (!at_rest(found, before, last_said_)) {
    deadlock_timer_.expires_after(again_after);
    deadlock_timer_.async_wait([this](const asio::error_code& error) {
      if (!error && !deadlock_inquiry_.running()) look_for_deadlock();
    });
    return;
  }
  std::string lists;
  for (const Pid pid : found) {
    if (lists.empty()) lists = last_said_[static_cast<std::size_t>(pid)]->lists();
  }
  v1::ToHost message;
  message.mutable_deadlock()->set_who(sentence_of(found) + (lists.empty() ? "" : "; " + lists));
  tell_all(message);
  std::string line = "deadlock: these processes wait for one another for ever, and nothing is on its way:";
  for (const Pid pid : found) line += "\n  " + name(pid) + ": " + describe_process(pid, last_said_);
  if (!lists.empty()) line += "\n  " + lists;
  end_early(ended_by::Deadlock{}, line);
}

}  // namespace cohort
