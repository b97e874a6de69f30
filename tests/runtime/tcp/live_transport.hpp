// SPDX-License-Identifier: Apache-2.0
// A TCP transport that is driven by a thread of its own, as in a process that waits for what may come.
#pragma once

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "runtime/job.hpp"
#include "runtime/transport/tcp/tcp_transport.hpp"

namespace cohort {

// A job of `ranks` processes on the loopback interface, each with its listener.
struct LocalJob {
  explicit LocalJob(int ranks);
  Job job_of(Pid me) const;
  std::uint16_t port(Pid pid) const { return job.address(pid).port; }

  Job job;
  TcpLimits limits;
  std::vector<TcpListener> listeners;
};

// For a transport that hears no frames.
struct Quiet final : FrameHandler {
  bool frame_begins(Pid, const FrameHeader&, Pieces&) override { return false; }
  void frame_ends(Pid, const FrameHeader&) override {}
  void frame_sent(Pid, OutgoingFrame&) override {}
  void peer_lost(Pid, const std::string&) override {}
};

// Takes any frame.
class Taker final : public FrameHandler {
 public:
  bool frame_begins(Pid, const FrameHeader& header, Pieces& landing) override {
    payload_.resize(header.payload);
    if (!payload_.empty()) landing.push_back({payload_.data(), payload_.size()});
    return true;
  }
  void frame_ends(Pid, const FrameHeader&) override { ++frames; }
  void frame_sent(Pid, OutgoingFrame&) override { ++sent_later; }
  void peer_lost(Pid, const std::string&) override { lost = true; }

  int frames = 0;
  int sent_later = 0;
  bool lost = false;

 private:
  std::vector<std::byte> payload_;
};

class LiveTransport final : private FrameHandler {
 public:
  LiveTransport(LocalJob& job, Pid me);
  ~LiveTransport() override;

  // An empty frame.
  void send(Pid to);

  // Answers each frame with an empty one.
  void echo() { echoes_ = true; }

  std::size_t frames() const { return frames_; }
  bool await_frames(std::size_t count);   // within 10 s, as the next one
  std::string await_loss(Pid pid);        // the cause, or nothing after 20 s
  std::vector<std::byte> last_payload();  // of the frame that arrived last
  double processor_seconds();             // used by the driver so far

 private:
  bool frame_begins(Pid from, const FrameHeader& header, Pieces& landing) override;
  void frame_ends(Pid from, const FrameHeader& header) override;
  void frame_sent(Pid to, OutgoingFrame& frame) override;
  void peer_lost(Pid pid, const std::string& cause) override;
  void post(Pid to);
  void drive();
  bool await(std::chrono::seconds limit, const std::function<bool()>& condition);

  std::mutex lock_;  // the runtime's
  std::condition_variable changed_;
  std::unique_ptr<Transport> transport_;
  std::map<Pid, std::string> lost_;
  std::vector<std::byte> payload_;
  std::vector<std::byte> last_payload_;
  std::map<OutgoingFrame*, std::unique_ptr<OutgoingFrame>> outgoing_;
  std::atomic<std::size_t> frames_ = 0;
  std::atomic<bool> echoes_ = false;
  std::atomic<bool> stopped_ = false;
  std::thread driver_;
};

}  // namespace cohort
