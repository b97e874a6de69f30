// SPDX-License-Identifier: Apache-2.0
// What comes over the control plane: length-prefixed messages, and what is read from them.
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>

#include "cohort/error.hpp"
#include "launcher/host/report.hpp"
#include "launcher/job/deadlock.hpp"
#include "proto/control.pb.h"
#include "runtime/control/control_frames.hpp"
#include "runtime/control/failure_message.hpp"
#include "runtime/control/faults_message.hpp"
#include "runtime/control/group_message.hpp"
#include "runtime/control/ports_message.hpp"
#include "runtime/control/settings_message.hpp"
#include "runtime/control/taken_message.hpp"
#include "runtime/control/tuning_message.hpp"

namespace {

using namespace cohort;

void look_at(std::string_view body) {
  const int size = static_cast<int>(body.size());
  process::v1::FromProcess from_process;
  process::v1::ToProcess to_process;
  v1::FromHost from_host;
  v1::ToHost to_host;
  v1::Orders orders;
  v1::Attached attached;
  from_host.ParseFromArray(body.data(), size);
  attached.ParseFromArray(body.data(), size);
  Sources taken;
  if (from_process.ParseFromArray(body.data(), size)) {
    read(from_process.taken(), taken);
    read(from_process.ask_survivors().group());
    if (const auto& doing = from_process.doing(); makes_sense(doing, 2)) {
      describe(0, doing);
      deadlocked({doing, doing}, {});
      at_rest({0, 1}, {doing, doing}, {doing, doing});
    }
  }
  if (orders.ParseFromArray(body.data(), size)) read(orders.ports());
  if (to_process.ParseFromArray(body.data(), size)) {
    const process::v1::Welcome& welcome = to_process.welcome();
    for (const process::v1::Taken& each : welcome.taken()) read(each, taken);
    read(welcome.listen_at().ports());
    Job job;
    read(welcome.settings(), job);
    read(to_process.table().between_hosts());
    read(to_process.failure());
    read(to_process.inject());
  }
  if (to_host.ParseFromArray(body.data(), size)) read(to_host.start().settings().faults());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 16'384) return 0;
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()) != 0) std::abort();
  if (::send(ends[1], data, size, MSG_NOSIGNAL) != static_cast<ssize_t>(size) && size > 0) std::abort();
  FrameReader frames(longest_from_process);
  try {
    frames.fill(ends[0]);
    while (const auto body = frames.next()) look_at(*body);
  } catch (const Error&) {
  } catch (const std::invalid_argument&) {
  }
  ::close(ends[0]);
  ::close(ends[1]);
  try {  // and as one message, as gRPC has it
    look_at({reinterpret_cast<const char*>(data), size});
  } catch (const Error&) {
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
