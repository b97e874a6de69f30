// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/memory/memory_transport.hpp"

#include <array>
#include <deque>
#include <mutex>
#include <set>
#include <utility>

#include "runtime/readable.hpp"
#include "runtime/transport/parcel.hpp"
#include "runtime/wakeup.hpp"

namespace cohort {
namespace {

class Inbox {
 public:
  // Returns false if the inbox's owner has closed it.
  bool put(Parcel parcel) {
    const std::lock_guard lock(mutex_);
    if (closed_) return false;
    parcels_.push_back(std::move(parcel));
    ring();
    return true;
  }

  std::deque<Parcel> take_all() {
    const std::lock_guard lock(mutex_);
    return std::exchange(parcels_, {});
  }

  int descriptor() const { return bell_.descriptor(); }

  // From here on, arriving parcels ring the bell. Returns whether there is something already.
  bool before_sleep() {
    const std::lock_guard lock(mutex_);
    asleep_ = true;
    return woken_ || !parcels_.empty();
  }

  void after_sleep() {
    const std::lock_guard lock(mutex_);
    asleep_ = woken_ = false;
    if (std::exchange(rings_, false)) bell_.clear();
  }

  void wake() {
    const std::lock_guard lock(mutex_);
    woken_ = true;
    ring();
  }

  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }

 private:
  // Ringing costs a system call, so nobody rings for an owner that is awake.
  void ring() {
    if (asleep_ && !std::exchange(rings_, true)) bell_.set();
  }

  std::mutex mutex_;
  std::deque<Parcel> parcels_;
  detail::Wakeup bell_;
  bool asleep_ = false;
  bool rings_ = false;
  bool woken_ = false;
  bool closed_ = false;
};

using Inboxes = std::vector<Inbox>;

class MemoryTransport final : public Transport, private Pollable {
 public:
  MemoryTransport(std::shared_ptr<Inboxes> inboxes, Pid me, TimeSource time)
      : inboxes_(std::move(inboxes)), me_(me), time_(time) {}
  ~MemoryTransport() override { close(); }

  void attach(FrameHandler& handler) override { handler_ = &handler; }

  bool send(Pid to, OutgoingFrame& frame) override {
    if (!disconnected_.contains(to)) inbox(to).put(parcel_of(me_, frame));
    return true;
  }

  bool poll(Pid) override {
    const std::deque<Parcel> parcels = inbox(me_).take_all();
    for (const Parcel& parcel : parcels) {
      if (disconnected_.contains(parcel.from)) continue;
      if (!parcel.farewell.empty()) disconnected_.insert(parcel.from);
      deliver(*handler_, parcel);
    }
    return !parcels.empty();
  }

  void wait(Nanoseconds limit) override {
    Inbox& mine = inbox(me_);
    std::array<pollfd, 1> bell{{{mine.descriptor(), POLLIN, 0}}};
    if (limit > Nanoseconds(0) && !mine.before_sleep()) wait_until_readable(bell, limit);
    mine.after_sleep();
  }
  void wake() override { inbox(me_).wake(); }
  void disconnect(Pid peer) override { disconnected_.insert(peer); }

  void reset(Pid peer) override {
    if (!disconnected_.insert(peer).second) return;
    inbox(peer).put(Parcel{me_, {}, {}, connection_reset});
    handler_->peer_lost(peer, connection_reset);
  }

  void close() override {
    if (closed_) return;
    closed_ = true;
    inbox(me_).close();
    for (std::size_t pid = 0; pid < inboxes_->size(); ++pid) {
      if (static_cast<Pid>(pid) != me_) (*inboxes_)[pid].put(Parcel{me_, {}, {}, transport_closed});
    }
  }

  Nanoseconds now() const override { return time_(); }
  Pollable* pollable() override { return this; }

 private:
  Nanoseconds before_sleep(std::vector<int>& descriptors) override {
    Inbox& mine = inbox(me_);
    descriptors.push_back(mine.descriptor());
    return mine.before_sleep() ? Nanoseconds(0) : forever;
  }

  Inbox& inbox(Pid pid) { return (*inboxes_)[static_cast<std::size_t>(pid)]; }

  const std::shared_ptr<Inboxes> inboxes_;
  const Pid me_;
  const TimeSource time_;
  FrameHandler* handler_ = nullptr;
  std::set<Pid> disconnected_;
  bool closed_ = false;
};

}  // namespace

std::vector<std::unique_ptr<Transport>> make_memory_transports(Pid ranks, TimeSource time) {
  const auto inboxes = std::make_shared<Inboxes>(static_cast<std::size_t>(ranks));
  std::vector<std::unique_ptr<Transport>> transports;
  for (Pid me = 0; me < ranks; ++me) transports.push_back(std::make_unique<MemoryTransport>(inboxes, me, time));
  return transports;
}

}  // namespace cohort
