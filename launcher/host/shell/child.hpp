// SPDX-License-Identifier: Apache-2.0
// A process of the job, as the launcher or agent that started it sees it: its number, control link and output.
#pragma once

#include <sys/types.h>

#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <functional>
#include <memory>
#include <optional>

#include "cohort/types.hpp"
#include "launcher/host/orphans.hpp"
#include "launcher/host/shell/line_reader.hpp"
#include "launcher/host/shell/process_link.hpp"
#include "launcher/host/shell/stack_reader.hpp"
#include "launcher/host/warden.hpp"

namespace cohort {

struct Child {
  Pid pid = 0;
  pid_t process = -1;  // also its process group; -1: the whole group is gone
  bool running = true;
  pid_t joined_as = -1;  // the process that has joined the job: not the child itself if the child is a shell
  pid_t member() const { return joined_as > 0 ? joined_as : process; }
  std::optional<asio::posix::stream_descriptor> member_end;  // pidfd of that other process, until it has ended
  bool out_of_memory = false;                                // whether lack of memory ended that process
  std::optional<ProcessLink> link;
  std::optional<LineReader> output;
  std::optional<LineReader> error;
  std::unique_ptr<StackReader> stack;  // while the stack is read

  // This process has joined. If it is not the child itself, `ended` is called when it may have ended.
  void joined(pid_t member, asio::io_context& loop, std::function<void()> ended);

  // How the process that has joined has ended, once: a wait status, or {} if the system does not know it. nullopt: it
  // still runs, or is the child itself.
  struct MemberEnd {
    std::optional<int> status;
  };
  std::optional<MemberEnd> take_member_end();

  // Also to the process that has joined. Only where it still carries the job's mark if it is in a group of its own.
  void signal(int number, const Orphans& orphans);

  // When the whole group is gone, the system may reuse its number, and the warden must not kill the new group.
  // forget_if_gone() looks whether it is.
  void forget(Warden& warden);
  void forget_if_gone(Warden& warden);
};

}  // namespace cohort
