#include "runtime/transport/memory/memory_transport.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <utility>

#include "runtime/transport/parcel.hpp"

namespace cohort {
namespace {

class Inbox {
 public:
  // Returns false if its owner has closed it.
  bool put(Parcel parcel) {
    {
      const std::lock_guard lock(mutex_);
      if (closed_) return false;
      parcels_.push_back(std::move(parcel));
    }
    changed_.notify_one();
    return true;
  }

  std::deque<Parcel> take_all() {
    const std::lock_guard lock(mutex_);
    return std::exchange(parcels_, {});
  }

  void wait(Nanoseconds limit) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, limit, [&] { return woken_ || !parcels_.empty(); });
    woken_ = false;
  }

  void wake() {
    {
      const std::lock_guard lock(mutex_);
      woken_ = true;
    }
    changed_.notify_one();
  }

  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Parcel> parcels_;
  bool woken_ = false;
  bool closed_ = false;
};

using Inboxes = std::vector<Inbox>;

class MemoryTransport : public Transport {
 public:
  MemoryTransport(std::shared_ptr<Inboxes> inboxes, Pid me) : inboxes_(std::move(inboxes)), me_(me) {}
  ~MemoryTransport() override { close(); }

  void attach(FrameHandler& handler) override { handler_ = &handler; }

  bool send(Pid to, OutgoingFrame& frame) override {
    if (!severed_.contains(to)) inbox(to).put(parcel_of(me_, frame));
    return true;
  }

  bool poll(Pid) override {
    const std::deque<Parcel> parcels = inbox(me_).take_all();
    for (const Parcel& parcel : parcels) {
      if (severed_.contains(parcel.from)) continue;
      if (!parcel.farewell.empty()) severed_.insert(parcel.from);
      deliver(*handler_, parcel);
    }
    return !parcels.empty();
  }

  void wait(Nanoseconds limit) override { inbox(me_).wait(limit); }
  void wake() override { inbox(me_).wake(); }
  void sever(Pid peer) override { severed_.insert(peer); }
  void replace(Pid, OutgoingFrame&, OutgoingFrame&) override {}  // every frame leaves at once,
  void redirect(Pid, const Pieces&) override {}                  // and arrives at once

  void reset(Pid peer) override {
    if (!severed_.insert(peer).second) return;
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

  Nanoseconds now() const override { return std::chrono::steady_clock::now().time_since_epoch(); }

 private:
  Inbox& inbox(Pid pid) { return (*inboxes_)[static_cast<std::size_t>(pid)]; }

  const std::shared_ptr<Inboxes> inboxes_;
  const Pid me_;
  FrameHandler* handler_ = nullptr;
  std::set<Pid> severed_;
  bool closed_ = false;
};

}  // namespace

std::vector<std::unique_ptr<Transport>> make_memory_transports(Pid ranks) {
  const auto inboxes = std::make_shared<Inboxes>(static_cast<std::size_t>(ranks));
  std::vector<std::unique_ptr<Transport>> transports;
  for (Pid me = 0; me < ranks; ++me) transports.push_back(std::make_unique<MemoryTransport>(inboxes, me));
  return transports;
}

}  // namespace cohort
