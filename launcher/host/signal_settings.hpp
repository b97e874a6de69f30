// The signals that a process begins with: which are blocked, and which ignored. What it executes inherits both, so that
// a launcher may be started with any of them, and starts the job's processes with the same.
#pragma once

#include <csignal>

namespace cohort {

namespace v1 {
class Signals;
}

struct SignalSettings {
  SignalSettings();  // none blocked, none ignored

  // Makes them this process's, with the default action for all that are not ignored. Async-signal-safe.
  void apply() const;

  sigset_t blocked;
  sigset_t ignored;
};

// Those that this process was started with. main() calls it before it changes any.
const SignalSettings& inherited_signals();

// For a program that this process starts for itself (the remote shell, a debugger). Nothing is blocked, and such a
// program hears of its children and of closed pipes. What else is ignored stays so: SIGHUP, as nohup leaves it.
SignalSettings signals_for_tools();

// This process hears all signals from here on, whatever it was started with. Ignored signals stay ignored (SIGHUP as
// nohup leaves it, SIGINT as a shell does with jobs in the background), but for those that it cannot do without: the
// end of a child, a request to end, and being woken.
void take_signals();

void write(const SignalSettings& from, v1::Signals& to);
SignalSettings read(const v1::Signals& from);

}  // namespace cohort
