// SPDX-License-Identifier: Apache-2.0
// Signals to the launcher. Ctrl-C, SIGTERM and SIGHUP end the job, Ctrl-Z suspends it, SIGCONT wakes it, SIGQUIT prints
// what the processes do. SIGUSR1 and SIGUSR2 go to the processes.
#include <csignal>

#include "launcher/job/running_job.hpp"

namespace cohort {

namespace {
constexpr std::chrono::milliseconds suspend_limit(1'000);  // for all hosts to have stopped their processes
}

void RunningJob::signal_all(int number) {
  v1::ToHost message;
  message.mutable_signal()->set_number(number);
  tell_all(std::move(message));
}

void RunningJob::hear(event::Signal&& event) {
  const int number = event.number;
  if (number == SIGTSTP) return suspend();
  if (number == SIGQUIT) return describe(occasion::Headline{line(now_.clock)});
  if (number == SIGCONT) limits_.cancel(Time::suspend);
  if (number == SIGUSR1 || number == SIGUSR2 || number == SIGCONT) return signal_all(number);
  if (phases_.over()) commands_.push_back(command::DropOutput{});  // the job waits only for a slow reader
  switch (phases_.interrupted(number, members_.roster().lost_count() > 0)) {
    case Phases::Interruption::ends:
      return begin_to_end(std::string("interrupted") + (number == SIGINT    ? ""
                                                        : number == SIGTERM ? " by SIGTERM"
                                                                            : " by SIGHUP"));
    case Phases::Interruption::waits:
      return;
    case Phases::Interruption::kills:
      escalation_.kill(now_.attended);
      commands_.push_back(command::DropOutput{});
      return escalate();
  }
}

// Stops the processes first, then the launcher. The agents must be told: they would take a stopped launcher for lost.
// The shell's SIGCONT wakes the launcher, which wakes the processes.
void RunningJob::suspend() {
  hosts_.suspend();
  signal_all(SIGSTOP);
  limits_.begin(Time::suspend, suspend_limit, now_.attended);
}

}  // namespace cohort
