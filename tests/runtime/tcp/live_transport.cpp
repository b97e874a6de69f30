// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/tcp/live_transport.hpp"

#include <ctime>

namespace cohort {

LocalJob::LocalJob(int ranks) {
  job.id = 99;
  job.secret.fill(0x33);
  job.processes.clear();
  for (int pid = 0; pid < ranks; ++pid) {
    listeners.emplace_back(ListenAt{"127.0.0.1"});
    job.processes.push_back({"localhost", "127.0.0.1", listeners.back().port(), 500u + static_cast<unsigned>(pid)});
  }
}

Job LocalJob::job_of(Pid me) const {
  Job mine = job;
  mine.me = me;
  return mine;
}

LiveTransport::LiveTransport(LocalJob& job, Pid me)
    : transport_(
          make_tcp_transport(job.job_of(me), std::move(job.listeners[static_cast<std::size_t>(me)]), job.limits)) {
  transport_->attach(*this);
  driver_ = std::thread([this] { drive(); });
}

LiveTransport::~LiveTransport() {
  stopped_ = true;
  transport_->wake();
  driver_.join();
}

void LiveTransport::drive() {
  while (!stopped_) {
    bool happened = false;
    {
      const std::lock_guard guard(lock_);
      happened = transport_->poll(-1);
    }
    if (happened) {
      changed_.notify_all();
    } else {
      transport_->wait(std::chrono::seconds(10));
    }
  }
}

void LiveTransport::send(Pid to) {
  const std::lock_guard guard(lock_);
  post(to);
}

void LiveTransport::post(Pid to) {
  auto frame = std::make_unique<OutgoingFrame>();
  OutgoingFrame* const address = frame.get();
  if (!transport_->send(to, *address)) outgoing_.emplace(address, std::move(frame));
}

bool LiveTransport::frame_begins(Pid, const FrameHeader& header, Pieces& landing) {
  if (header.offset != 0) return false;  // what these tests call senseless
  payload_.assign(header.payload, std::byte{0});
  landing.push_back({payload_.data(), payload_.size()});
  return true;
}

void LiveTransport::frame_ends(Pid from, const FrameHeader&) {
  last_payload_ = payload_;
  ++frames_;
  if (echoes_) post(from);
}

void LiveTransport::frame_sent(Pid, OutgoingFrame& frame) { outgoing_.erase(&frame); }

void LiveTransport::peer_lost(Pid pid, const std::string& cause) { lost_[pid] = cause; }

bool LiveTransport::await(std::chrono::seconds limit, const std::function<bool()>& condition) {
  std::unique_lock guard(lock_);
  return changed_.wait_for(guard, limit, condition);
}

bool LiveTransport::await_frames(std::size_t count) {
  return await(std::chrono::seconds(10), [&] { return frames_ >= count; });
}

std::string LiveTransport::await_loss(Pid pid) {
  await(std::chrono::seconds(20), [&] { return lost_.contains(pid); });
  const std::lock_guard guard(lock_);
  return lost_[pid];
}

std::vector<std::byte> LiveTransport::last_payload() {
  const std::lock_guard guard(lock_);
  return last_payload_;
}

double LiveTransport::processor_seconds() {
  clockid_t clock{};
  ::pthread_getcpuclockid(driver_.native_handle(), &clock);
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace cohort
