// One host's part in saying what the processes are doing.
#include <fstream>
#include <string>
#include <utility>

#include "launcher/local_host.hpp"
#include "proto/control.pb.h"

namespace cohort {

namespace {

// Such a process can't say so itself.
bool is_stopped(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t name_end = text.rfind(')');
  const char state = name_end != std::string::npos && name_end + 2 < text.size() ? text[name_end + 2] : '?';
  return state == 'T' || state == 't';
}

}  // namespace

void LocalHost::ask(const v1::ToHost& message) {
  stacks_wanted_ = message.ask().stacks();
  process::v1::ToProcess question;
  *question.mutable_ask() = message.ask();
  tell_processes(question);
  for (const LocalProcess& process : processes_) {
    if (!process.running || !is_stopped(process.process)) continue;
    process::v1::Doing stopped;
    stopped.set_question(message.ask().question());
    stopped.set_stopped(true);
    tell_doing(process.pid, stopped);
  }
}

void LocalHost::hear_doing(LocalProcess& process, const process::v1::FromProcess& message) {
  const process::v1::Doing& doing = message.doing();
  const bool in_library = !doing.waits().empty();
  if (!stacks_wanted_ || in_library || doing.reason() != process::v1::Doing::ASKED || process.stack) {
    return tell_doing(process.pid, doing);
  }
  process.stack = std::make_unique<StackReader>(
      loop_, reaper_, warden_, doing.process(),
      [this, &process, answer = process::v1::Doing(doing)](std::string lines) mutable {
        const std::unique_ptr<StackReader> reader = std::move(process.stack);  // until this returns
        answer.set_stack(std::move(lines));
        tell_doing(process.pid, answer);
      });
}

void LocalHost::tell_doing(Pid pid, const process::v1::Doing& doing) {
  v1::FromHost message;
  message.mutable_does()->set_pid(pid);
  *message.mutable_does()->mutable_doing() = doing;
  emit(std::move(message));
}

}  // namespace cohort
