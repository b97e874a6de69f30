// One process of the job on this host: its number, its control link, its output.
#pragma once

#include <sys/types.h>

#include <asio/posix/stream_descriptor.hpp>
#include <memory>
#include <optional>

#include "cohort/types.hpp"
#include "launcher/host/line_reader.hpp"
#include "launcher/host/process_link.hpp"
#include "launcher/host/stack_reader.hpp"
#include "runtime/attended_time.hpp"

namespace cohort {

struct LocalProcess {
  Pid pid = 0;
  pid_t process = -1;  // also its process group; -1: never started, or nothing of it is left
  bool running = false;
  bool greeted = false;  // it has said hello
  bool left = false;     // it has said that it leaves
  pid_t joined_as = -1;  // who has: another one where the child is a shell
  pid_t member() const { return joined_as > 0 ? joined_as : process; }
  std::optional<asio::posix::stream_descriptor> member_end;  // pidfd of this other one: tells that it has ended
  bool member_end_told = false;
  bool out_of_memory = false;           // why it has
  std::optional<AttendedTime> stopped;  // for how long, as far as the launcher or agent was there to see it
  std::string turns;                    // of it on a processor, when it was seen stopped
  bool stall_told = false;
  std::optional<ProcessLink> link;
  std::optional<LineReader> output;
  std::optional<LineReader> error;
  std::unique_ptr<StackReader> stack;  // while it is read
};

}  // namespace cohort
