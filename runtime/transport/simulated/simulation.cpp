#include "runtime/transport/simulated/simulation.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
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

// All that the ranks share, under one mutex. `running_` says whose turn it is.
class Simulation::World {
  // Nothing on its way for so long, while every rank waits: they wait for each other, not for time to pass.
  static constexpr Nanoseconds patience = std::chrono::minutes(1);

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

  std::deque<Parcel> take_all(Pid me) {
    const std::lock_guard lock(mutex_);
    return std::exchange(rank(me).inbox, {});
  }

  void wait(Pid me, Nanoseconds limit) {
    std::unique_lock lock(mutex_);
    Seat& self = rank(me);
    if (!self.woken && self.inbox.empty()) {
      self.waiting = true;
      self.deadline = now_ + limit;
      choose_next();
      take_turn(lock, me);
      self.waiting = false;
    }
    self.woken = false;
    if (deadlocked_) throw Error(ErrorCode::deadlock, "simulation: every rank waits and nothing is on its way");
  }

  void pause(Pid me, Nanoseconds time) {
    std::unique_lock lock(mutex_);
    rank(me).computing = true;
    rank(me).deadline = now_ + time;
    choose_next();
    take_turn(lock, me);
    rank(me).computing = false;
    last_arrival_ = now_;
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
    bool waiting = false;
    bool computing = false;
    bool woken = false;
    bool finished = false;
  };
  struct Arrival {
    Nanoseconds when;
    std::uint64_t sequence;
    Pid to;
    std::shared_ptr<Parcel> parcel;
    bool operator<(const Arrival& other) const {  // the earliest on top
      return std::tie(other.when, other.sequence) < std::tie(when, sequence);
    }
  };

  Seat& rank(Pid pid) { return ranks_[static_cast<std::size_t>(pid)]; }

  void take_turn(std::unique_lock<std::mutex>& lock, Pid me) {
    std::condition_variable turn;
    rank(me).turn = &turn;
    turn.wait(lock, [&] { return running_ == me; });
    rank(me).turn = nullptr;
  }

  bool can_run(const Seat& rank) const {
    if (rank.finished) return false;
    if (rank.computing) return rank.deadline <= now_;
    return !rank.waiting || rank.woken || !rank.inbox.empty() || rank.deadline <= now_ || deadlocked_;
  }

  // Gives the turn to one of the ranks that can run, at random; if there is none, lets time pass.
  void choose_next() {
    for (;;) {
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

  // To the next arrival, or the next end of a wait or pause. Returns false if all have finished.
  bool let_time_pass() {
    Nanoseconds earliest = Nanoseconds::max();
    bool computing = false;
    for (const Seat& rank : ranks_) {
      if (!rank.finished) earliest = std::min(earliest, rank.deadline);
      computing = computing || rank.computing;
    }
    if (!on_the_way_.empty() && on_the_way_.top().when <= earliest) {
      const Arrival arrival = on_the_way_.top();
      on_the_way_.pop();
      now_ = std::max(now_, arrival.when);
      if (!rank(arrival.to).finished) rank(arrival.to).inbox.push_back(std::move(*arrival.parcel));
      last_arrival_ = now_;
      return true;
    }
    if (earliest == Nanoseconds::max()) return false;
    now_ = std::max(now_, earliest);
    if (!computing && on_the_way_.empty() && now_ - last_arrival_ > patience) deadlocked_ = true;
    return true;
  }

  const SimulatedNetwork network_;
  mutable std::mutex mutex_;
  std::mt19937_64 random_;
  std::vector<Seat> ranks_;
  std::priority_queue<Arrival> on_the_way_;
  Nanoseconds now_{0};
  Pid running_ = -1;
  std::uint64_t sequence_ = 0;
  std::uint64_t frames_ = 0;
  std::uint64_t bytes_ = 0;
  Nanoseconds last_arrival_{0};
  bool deadlocked_ = false;
};

class Simulation::RankTransport : public Transport {
 public:
  RankTransport(World& world, Pid me) : world_(world), me_(me) {}

  void attach(FrameHandler& handler) override { handler_ = &handler; }
  bool send(Pid to, OutgoingFrame& frame) override {
    if (!severed_.contains(to)) world_.send(me_, to, parcel_of(me_, frame));
    return true;
  }
  bool poll(Pid) override {
    const std::deque<Parcel> parcels = world_.take_all(me_);
    for (const Parcel& parcel : parcels) {
      if (severed_.contains(parcel.from)) continue;
      if (!parcel.farewell.empty()) severed_.insert(parcel.from);
      deliver(*handler_, parcel);
    }
    return !parcels.empty();
  }
  void wait(Nanoseconds limit) override { world_.wait(me_, limit); }
  void wake() override { world_.wake(me_); }
  void sever(Pid peer) override { severed_.insert(peer); }
  void replace(Pid, OutgoingFrame&, OutgoingFrame&) override {}  // every frame leaves at once,
  void redirect(Pid, const Pieces&) override {}                  // and arrives at once
  void reset(Pid peer) override {
    if (!severed_.insert(peer).second) return;
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
  std::set<Pid> severed_;
  bool closed_ = false;
};

Simulation::Simulation(Pid ranks, SimulatedNetwork network)
    : world_(std::make_unique<World>(ranks, std::move(network))) {}

Simulation::~Simulation() = default;

void Simulation::run(const std::function<void(Pid me, Transport& transport)>& program) {
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

void Simulation::pause(Pid me, Nanoseconds time) { world_->pause(me, time); }

Nanoseconds Simulation::now() const { return world_->now(); }
std::uint64_t Simulation::frames() const { return world_->frames(); }
std::uint64_t Simulation::bytes() const { return world_->bytes(); }

}  // namespace cohort
