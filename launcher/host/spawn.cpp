// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/spawn.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>

#include "launcher/host/warden.hpp"
#include "runtime/blocked_signals.hpp"

namespace cohort {

namespace {

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> result;
  result.reserve(words.size() + 1);
  for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

[[noreturn]] void give_up(const SpawnOrder& order, bool directory) {
  const SpawnError record{order.number, errno, directory};
  if (order.errors >= 0 && ::write(order.errors, &record, sizeof record) < 0) ::_exit(126);
  ::_exit(record.error == ENOENT ? 127 : 126);
}

// Does not use setsid(), because the kernel gives each session an equal share of the processors. Processes of different
// sessions can't yield to each other, so hosts on one machine could take turns only by sleeping.
void leave_terminal() {
  const int terminal = ::open("/dev/tty", O_RDWR | O_CLOEXEC);
  if (terminal < 0) return;  // no terminal
  ::ioctl(terminal, TIOCNOTTY);
  ::close(terminal);
}

// Async-signal-safe calls only, from here to exec.
[[noreturn]] void become(const SpawnOrder& order, pid_t parent, char* const* arguments, char* const* shell_arguments,
                         char* const* environment) {
  ::setpgid(0, 0);
  if (order.without_terminal) leave_terminal();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(126);  // the parent died before the line above
  Warden::watch_me(order.warden);

  ::dup2(order.input, 0);
  ::dup2(order.output, 1);
  ::dup2(order.error, 2);
  ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  if (order.kept >= 0) ::fcntl(order.kept, F_SETFD, 0);
  order.signals.apply();  // also removes the parent's handlers, which would write into its event loop
  if (order.descriptors) ::setrlimit(RLIMIT_NOFILE, &*order.descriptors);
  if (!order.directory.empty() && ::chdir(order.directory.c_str()) != 0) give_up(order, true);

  ::execve(order.path.c_str(), arguments, environment);
  if (errno == ENOEXEC) ::execve("/bin/sh", shell_arguments, environment);  // a script without "#!"
  give_up(order, false);
}

}  // namespace

rlimit raise_descriptor_limit() {
  static const rlimit before = [] {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    return limit;
  }();
  const rlimit raised{before.rlim_max, before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &raised);
  return before;
}

pid_t spawn(const SpawnOrder& order) {
  std::vector<std::string> shell_words = order.arguments;
  shell_words.insert(shell_words.begin(), "sh");
  shell_words.at(1) = order.path;
  const std::vector<char*> arguments = pointers(order.arguments);
  const std::vector<char*> shell_arguments = pointers(shell_words);
  const std::vector<char*> environment = pointers(order.environment);
  const pid_t parent = ::getpid();

  pid_t child = 0;
  {
    const BlockedSignals blocked;
    child = ::fork();
    if (child == 0) become(order, parent, arguments.data(), shell_arguments.data(), environment.data());
    if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  }
  ::setpgid(child, child);  // parent and child both call it: the first call counts
  return child;
}

}  // namespace cohort
