// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/simulated/transport_simulation.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <queue>
#include <random>
#include <set>
#include <thread>
#include <tuple>
#include <utility>

#include "cohort/error.hpp"
#include "runtime/require.hpp"
#include "runtime/transport/parcel.hpp"

namespace cohort {

// The state that all ranks share, under one mutex. `running_` is the rank that has the turn.
class TransportSimulation::World {
 public:
  World(Pid ranks, SimulatedNetwork network)
      : network_(std::move(network)), random_(network_.seed), ranks_(static_cast<std::size_t>(ranks)) {}

  Pid size() const { return static_cast<Pid>(ranks_.size()); }

  void begin() {
    const std::lock_guard lock(mutex_);
    for (Seat& rank : ranks_) rank = Seat{};
    choose_next();
  }

  void enter(Pid me) {
    std::unique_lock lock(mutex_);
    take_turn(lock, me);
  }

  void leave(Pid me) {
    const std::lock_guard lock(mutex_);
    rank(me).finished = true;
    choose_next();
  }

  void send(Pid from, Pid to, Parcel parcel) {
    const std::lock_guard lock(mutex_);
    if (!rank(from).killed) put_on_the_way(from, to, std::move(parcel));
  }

  std::deque<Parcel> take_all(Pid me) {
    const std::lock_guard lock(mutex_);
    return std::exchange(rank(me).inbox, {});
  }

  void wait(Pid me, Nanoseconds limit) {
    std::unique_lock lock(mutex_);
    Seat& self = rank(me);
    if (!self.woken && self.inbox.empty() && !self.killed) {
      self.waiting = true;
      self.deadline = now_ + limit;
      choose_next();
      take_turn(lock, me);
      self.waiting = false;
    }
    self.woken = false;
    if (self.killed) throw Killed();
    if (deadlocked_) throw Error(ErrorCode::deadlock, "simulation: every rank waits and nothing is on its way");
  }

  void pause(Pid me, Nanoseconds time) {
    std::unique_lock lock(mutex_);
    Seat& self = rank(me);
    self.computing = true;
    self.deadline = end_of_work(self, time);
    choose_next();
    take_turn(lock, me);
    self.computing = false;
    last_arrival_ = now_;
    if (self.killed) throw Killed();
  }

  void strike(const PlannedFault& fault, Nanoseconds when) {
    const std::lock_guard lock(mutex_);
    planned_.emplace(when, fault);
  }

  void wake(Pid pid) {
    const std::lock_guard lock(mutex_);
    rank(pid).woken = true;
  }

  Nanoseconds now() const {
    const std::lock_guard lock(mutex_);
    return now_;
  }
  std::uint64_t frames() const {
    const std::lock_guard lock(mutex_);
    return frames_;
  }
  std::uint64_t bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
  }

 private:
  struct Seat {
    std::condition_variable* turn = nullptr;
    std::deque<Parcel> inbox;
    Nanoseconds deadline{0};
    Nanoseconds sends_until{0};
    Nanoseconds receives_until{0};
    Nanoseconds stopped_until{0};
    Nanoseconds slow_until{0};
    double share = 1;  // the share of time that it runs while it is slow
    bool waiting = false;
    bool computing = false;
    bool woken = false;
    bool killed = false;
    bool finished = false;
  };
  struct Arrival {
    Nanoseconds when;
    std::uint64_t sequence;
    Pid to;
    std::shared_ptr<Parcel> parcel;
    bool operator<(const Arrival& other) const {  // the earliest is on top
      return std::tie(other.when, other.sequence) < std::tie(when, sequence);
    }
  };

  Seat& rank(Pid pid) { return ranks_[static_cast<std::size_t>(pid)]; }

  void put_on_the_way(Pid from, Pid to, Parcel parcel) {
    Nanoseconds latency = network_.latency;
    double bytes_per_second = network_.bytes_per_second;
    if (network_.adjust) network_.adjust(from, to, latency, bytes_per_second);
    if (network_.jitter.count() > 0) {
      latency += Nanoseconds(std::uniform_int_distribution<std::int64_t>(0, network_.jitter.count())(random_));
    }
    const auto size = static_cast<double>(FrameHeader::wire_size + parcel.payload.size());
    const Nanoseconds transmission(static_cast<std::int64_t>(1e9 * size / bytes_per_second));
    const Nanoseconds start = std::max(now_, rank(from).sends_until);
    rank(from).sends_until = start + transmission;
    const Nanoseconds arrival = std::max(start + latency, rank(to).receives_until) + transmission;
    rank(to).receives_until = arrival;
    ++frames_;
    bytes_ += parcel.payload.size();
    on_the_way_.push({arrival, ++sequence_, to, std::make_shared<Parcel>(std::move(parcel))});
  }

  void take_turn(std::unique_lock<std::mutex>& lock, Pid me) {
    std::condition_variable turn;
    rank(me).turn = &turn;
    turn.wait(lock, [&] { return running_ == me; });
    rank(me).turn = nullptr;
  }

  bool can_run(const Seat& rank) const {
    if (rank.finished) return false;
    if (rank.killed) return true;
    if (rank.stopped_until > now_) return false;
    if (rank.computing) return rank.deadline <= now_;
    return !rank.waiting || rank.woken || !rank.inbox.empty() || rank.deadline <= now_ || deadlocked_;
  }

  // Gives the turn to a random rank that can run. If there is none, lets time pass.
  void choose_next() {
    for (;;) {
      while (!planned_.empty() && planned_.begin()->first <= now_) suffer(planned_.extract(planned_.begin()).mapped());
      std::vector<Pid> ready;
      for (Pid pid = 0; pid < size(); ++pid) {
        if (can_run(rank(pid))) ready.push_back(pid);
      }
      if (!ready.empty()) {
        running_ = ready[std::uniform_int_distribution<std::size_t>(0, ready.size() - 1)(random_)];
        if (rank(running_).turn != nullptr) rank(running_).turn->notify_one();
        return;
      }
      if (!let_time_pass()) {
        running_ = -1;
        return;
      }
    }
  }

  void suffer(const PlannedFault& fault) {
    Seat& self = rank(fault.rank);
    if (self.finished || self.killed) return;
    const Nanoseconds end = fault.end(now_);
    if (fault.kind == FaultKind::kill) {
      kill(fault.rank);
    } else if (fault.kind == FaultKind::stop) {
      self.stopped_until = end;
      if (self.computing && end != PlannedFault::never) self.deadline += end - now_;
    } else if (fault.kind == FaultKind::slow) {
      self.slow_until = end;
      self.share = fault.amount;
      if (self.computing) self.deadline = end_of_work(self, self.deadline - now_);
    }
  }

  // Kills a rank: its connections break.
  void kill(Pid pid) {
    for (Pid peer = 0; peer < size(); ++peer) {
      if (peer != pid) put_on_the_way(pid, peer, Parcel{pid, {}, {}, connection_reset});
    }
    rank(pid).killed = true;
  }

  // The end of work that begins now and takes this long at full speed.
  Nanoseconds end_of_work(const Seat& rank, Nanoseconds work) const {
    const auto scaled = [](Nanoseconds time, double factor) {
      return Nanoseconds(static_cast<std::int64_t>(static_cast<double>(time.count()) * factor));
    };
    if (rank.slow_until <= now_) return now_ + work;
    const Nanoseconds done_slowly = scaled(rank.slow_until - now_, rank.share);
    return done_slowly < work ? rank.slow_until + (work - done_slowly) : now_ + scaled(work, 1 / rank.share);
  }

  // Moves the time to the next arrival, the next fault, or the next end of a wait, pause or stop. Returns false if all
  // have finished.
  bool let_time_pass() {
    Nanoseconds earliest = planned_.empty() ? PlannedFault::never : planned_.begin()->first;
    bool finished = true, busy = false;
    for (const Seat& rank : ranks_) {
      if (rank.finished) continue;
      const bool stopped = rank.stopped_until > now_;
      const Nanoseconds goes_on = stopped ? rank.stopped_until : rank.deadline;
      earliest = std::min(earliest, goes_on);
      finished = false;
      busy = busy || ((rank.computing || stopped) && goes_on != PlannedFault::never);
    }
    if (!on_the_way_.empty() && on_the_way_.top().when <= earliest) {
      const Arrival arrival = on_the_way_.top();
      on_the_way_.pop();
      now_ = std::max(now_, arrival.when);
      if (!rank(arrival.to).finished) rank(arrival.to).inbox.push_back(std::move(*arrival.parcel));
      last_arrival_ = now_;
      return true;
    }
    if (finished) return false;
    if (earliest != PlannedFault::never) now_ = std::max(now_, earliest);
    if (!busy && on_the_way_.empty() && (earliest == PlannedFault::never || now_ - last_arrival_ > network_.patience))
      give_up();
    return true;
  }

  // Ranks that wait for each other get an error. A rank that is stopped for ever can't get one: it is killed.
  void give_up() {
    deadlocked_ = true;
    for (Seat& rank : ranks_) rank.killed = rank.killed || rank.stopped_until == PlannedFault::never;
  }

  const SimulatedNetwork network_;
  mutable std::mutex mutex_;
  std::mt19937_64 random_;
  std::vector<Seat> ranks_;
  std::priority_queue<Arrival> on_the_way_;
  std::multimap<Nanoseconds, PlannedFault> planned_;
  Nanoseconds now_{0};
  Pid running_ = -1;
  std::uint64_t sequence_ = 0;
  std::uint64_t frames_ = 0;
  std::uint64_t bytes_ = 0;
  Nanoseconds last_arrival_{0};
  bool deadlocked_ = false;
};

class TransportSimulation::RankTransport : public Transport {
 public:
  RankTransport(World& world, Pid me) : world_(world), me_(me) {}

  void attach(FrameHandler& handler) override { handler_ = &handler; }
  bool send(Pid to, OutgoingFrame& frame) override {
    if (!disconnected_.contains(to)) world_.send(me_, to, parcel_of(me_, frame));
    return true;
  }
  bool poll(Pid) override {
    const std::deque<Parcel> parcels = world_.take_all(me_);
    for (const Parcel& parcel : parcels) {
      if (disconnected_.contains(parcel.from)) continue;
      if (!parcel.farewell.empty()) disconnected_.insert(parcel.from);
      deliver(*handler_, parcel);
    }
    return !parcels.empty();
  }
  void wait(Nanoseconds limit) override { world_.wait(me_, limit); }
  void wake() override { world_.wake(me_); }
  void disconnect(Pid peer) override { disconnected_.insert(peer); }
  void reset(Pid peer) override {
    if (!disconnected_.insert(peer).second) return;
    world_.send(me_, peer, Parcel{me_, {}, {}, connection_reset});
    handler_->peer_lost(peer, connection_reset);
  }
  void close() override {
    if (closed_) return;
    closed_ = true;
    for (Pid pid = 0; pid < world_.size(); ++pid) {
      if (pid != me_) world_.send(me_, pid, Parcel{me_, {}, {}, transport_closed});
    }
  }
  Nanoseconds now() const override { return world_.now(); }

 private:
  World& world_;
  const Pid me_;
  FrameHandler* handler_ = nullptr;
  std::set<Pid> disconnected_;
  bool closed_ = false;
};

TransportSimulation::TransportSimulation(Pid ranks, SimulatedNetwork network)
    : world_(std::make_unique<World>(ranks, std::move(network))) {}

TransportSimulation::~TransportSimulation() = default;

void TransportSimulation::run(const std::function<void(Pid me, Transport& transport)>& program) {
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(world_->size()));
  world_->begin();
  {
    std::vector<std::jthread> threads;
    for (Pid me = 0; me < world_->size(); ++me) {
      threads.emplace_back([&, me] {
        world_->enter(me);
        try {
          RankTransport transport(*world_, me);
          program(me, transport);
          transport.close();
        } catch (const Killed&) {  // a killed rank closes nothing
        } catch (...) {
          failures[static_cast<std::size_t>(me)] = std::current_exception();
        }
        world_->leave(me);
      });
    }
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

void TransportSimulation::pause(Pid me, Nanoseconds time) { world_->pause(me, time); }

void TransportSimulation::strike(const PlannedFault& fault, Nanoseconds when) { world_->strike(fault, when); }
void TransportSimulation::strike(const PlannedFault& fault) {
  world_->strike(fault, world_->now());
  world_->pause(fault.rank, Nanoseconds(0));
}

Nanoseconds TransportSimulation::now() const { return world_->now(); }
std::uint64_t TransportSimulation::frames() const { return world_->frames(); }
std::uint64_t TransportSimulation::bytes() const { return world_->bytes(); }

}  // namespace cohort
