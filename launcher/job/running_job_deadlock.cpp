// In develop mode: what is said of processes that wait for ever.
#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>

#include "launcher/job/running_job.hpp"

namespace cohort {

namespace {

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

void RunningJob::look_for_deadlock() {
  if (phases_.early() || phases_.over()) return;
  if (deadlock_.take_question(survivors_)) {
    std::set<Pid> asked = ask(/*stacks=*/false);
    deadlock_.asked(questions_, std::move(asked), now_.attended);
  }
  const std::set<Pid> found = deadlock_.take_found(survivors_, now_.attended);
  if (!found.empty()) deadlocked(found);
}

void RunningJob::deadlocked(const std::set<Pid>& found) {
  std::string lists;
  for (const Pid pid : found) {
    if (lists.empty()) lists = deadlock_.said()[static_cast<std::size_t>(pid)]->lists();
  }
  v1::ToHost message;
  message.mutable_deadlock()->set_who(sentence_of(found) + (lists.empty() ? "" : "; " + lists));
  tell_all(std::move(message));
  std::string line = "deadlock: these processes wait for one another for ever, and nothing is on its way:";
  for (const Pid pid : found) line += "\n  " + name(pid) + ": " + describe_process(pid, deadlock_.said());
  if (!lists.empty()) line += "\n  " + lists;
  end_early(ended_by::Deadlock{}, line);
}

}  // namespace cohort
