// SPDX-License-Identifier: Apache-2.0
// The agent's end of a process's control link.
#pragma once

#include <asio/posix/stream_descriptor.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "runtime/control/control_frames.hpp"

namespace cohort::process::v1 {
class FromProcess;
class ToProcess;
}  // namespace cohort::process::v1

namespace cohort {

// A frame that may be on its way to many processes at once.
using SharedFrame = std::shared_ptr<const std::string>;
SharedFrame make_frame(const process::v1::ToProcess& message);

class ProcessLink {
 public:
  struct Handler {
    std::function<void(const process::v1::FromProcess&)> heard;
    std::function<void(const std::string& reason)> nonsense;  // the process sent bytes that our library never sends
    std::function<void()> closed;                             // by the process
  };

  // Takes the descriptor, a non-blocking socket.
  ProcessLink(const asio::any_io_executor& executor, int descriptor, Handler handler);

  void start() { wait_to_read(); }

  // Never blocks. Frames that the process does not read yet are queued here.
  void send(SharedFrame frame);

  // The frame brings the process these descriptors, at most most_descriptors. They must stay open until it has left.
  void send(SharedFrame frame, std::span<const int> descriptors);

  // Reads all that has arrived: a process that has just ended may have sent last messages.
  void read();
  void close();

 private:
  void wait_to_read();
  void write();

  asio::posix::stream_descriptor socket_;
  Handler handler_;
  FrameReader frames_{longest_from_process};
  struct Unsent {
    SharedFrame frame;
    std::span<const int> descriptors{};
  };
  ssize_t send_next();

  std::deque<Unsent> unsent_;
  std::size_t sent_of_first_ = 0;
  bool writing_ = false;
};

}  // namespace cohort
