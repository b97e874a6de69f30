// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/shell/child.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <utility>

#include "launcher/host/endings.hpp"

namespace cohort {

// The process that has joined is not our child, and the child holds the link open. Only a pidfd shows its end.
void Child::joined(pid_t member, asio::io_context& loop, std::function<void()> ended) {
  joined_as = member;
  if (member == process) return;
  const auto descriptor = static_cast<int>(::syscall(SYS_pidfd_open, member, 0));
  if (descriptor < 0) return;
  member_end.emplace(loop, descriptor)
      .async_wait(asio::posix::stream_descriptor::wait_read, [ended = std::move(ended)](const asio::error_code& error) {
        if (!error) ended();
      });
}

std::optional<Child::MemberEnd> Child::take_member_end() {
  if (!member_end) return std::nullopt;
  pollfd end{member_end->native_handle(), POLLIN, 0};
  if (::poll(&end, 1, 0) != 1) return std::nullopt;
  const MemberEnd taken{status_of(member(), member_end->native_handle())};
  member_end.reset();
  return taken;
}

// A process that has joined may have its own group or session. It gets SIGCONT before the shell that waits for it, so
// that the shell does not see it stopped. It gets other signals after the shell, so that a killed shell does nothing
// more.
void Child::signal(int number, const Orphans& orphans) {
  const auto to_member = [&] {
    if (!member_end || ::getpgid(joined_as) == process) return;
    orphans.signal(member_end->native_handle(), joined_as, number);
  };
  if (number == SIGCONT) to_member();
  if (process > 0) ::kill(-process, number);
  if (number != SIGCONT) to_member();
}

void Child::forget(Warden& warden) {
  if (process > 0) warden.forget(process);
  process = -1;
}

void Child::forget_if_gone(Warden& warden) {
  if (process > 0 && ::kill(-process, 0) != 0) forget(warden);
}

}  // namespace cohort
