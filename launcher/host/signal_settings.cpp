// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/signal_settings.hpp"

#include "proto/control.pb.h"

namespace cohort {

namespace {

using SignalAction = struct sigaction;

bool contains(const sigset_t& signals, int number) { return ::sigismember(&signals, number) == 1; }

SignalSettings own_settings() {
  SignalSettings own;
  ::sigprocmask(SIG_SETMASK, nullptr, &own.blocked);
  for (int number = 1; number < NSIG; ++number) {
    SignalAction action{};
    if (::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) ::sigaddset(&own.ignored, number);
  }
  return own;
}

}  // namespace

SignalSettings::SignalSettings() {
  ::sigemptyset(&blocked);
  ::sigemptyset(&ignored);
}

void SignalSettings::apply() const {
  for (int number = 1; number < NSIG; ++number) {
    SignalAction action{};
    if (::sigaction(number, nullptr, &action) != 0) continue;
    const auto wanted = contains(ignored, number) ? SIG_IGN : SIG_DFL;
    if (action.sa_handler == wanted) continue;
    action = {};
    action.sa_handler = wanted;
    ::sigaction(number, &action, nullptr);
  }
  ::sigprocmask(SIG_SETMASK, &blocked, nullptr);
}

const SignalSettings& inherited_signals() {
  static const SignalSettings settings = own_settings();
  return settings;
}

SignalSettings signals_for_tools() {
  SignalSettings settings;
  settings.ignored = inherited_signals().ignored;
  for (const int number : {SIGCHLD, SIGPIPE}) ::sigdelset(&settings.ignored, number);
  return settings;
}

void take_signals() {
  inherited_signals();
  for (const int number : {SIGCHLD, SIGTERM, SIGCONT}) ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void write(const SignalSettings& from, v1::Signals& to) {
  for (int number = 1; number < NSIG; ++number) {
    if (contains(from.blocked, number)) to.add_blocked(number);
    if (contains(from.ignored, number)) to.add_ignored(number);
  }
}

SignalSettings read(const v1::Signals& from) {
  SignalSettings settings;
  for (const int number : from.blocked()) ::sigaddset(&settings.blocked, number);
  for (const int number : from.ignored()) ::sigaddset(&settings.ignored, number);
  return settings;
}

}  // namespace cohort
