// SPDX-License-Identifier: Apache-2.0
// Which signals are blocked or ignored when a process starts. A program inherits both through exec. The launcher may be
// started with any settings, and starts the job's processes with the same.
#pragma once

#include <csignal>

namespace cohort {

namespace v1 {
class Signals;
}

struct SignalSettings {
  SignalSettings();  // none blocked, none ignored

  // Applies the settings to this process; signals that are not ignored get the default action. Async-signal-safe.
  void apply() const;

  sigset_t blocked;
  sigset_t ignored;
};

// The settings that this process was started with. main() must call it before it changes any.
const SignalSettings& inherited_signals();

// For a tool of this process (the remote shell, a debugger). Nothing is blocked; SIGCHLD and SIGPIPE have their
// defaults. Other ignored signals stay ignored: SIGHUP, as nohup leaves it.
SignalSettings signals_for_tools();

// Unblocks all signals in this process, whatever it was started with. Ignored signals stay ignored (SIGHUP under nohup,
// SIGINT in a background job), except those that the launcher needs: SIGCHLD, SIGTERM and SIGCONT.
void take_signals();

void write(const SignalSettings& from, v1::Signals& to);
SignalSettings read(const v1::Signals& from);

}  // namespace cohort
