// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/routed/routed_transport.hpp"

#include <poll.h>

#include <algorithm>
#include <utility>

#include "runtime/readable.hpp"
#include "runtime/require.hpp"

namespace cohort {
namespace {

constexpr unsigned polls_per_look_at_others = 64;  // at the other transports, while a frame from one is expected

class RoutedTransport final : public Transport,
                              private Pollable,
                              private Relocation,
                              private Batching,
                              private Liveness {
 public:
  RoutedTransport(std::vector<std::unique_ptr<Transport>> transports, std::vector<std::size_t> route)
      : transports_(std::move(transports)), route_(std::move(route)) {
    for (const auto& transport : transports_) {
      require(transport->pollable() != nullptr, "a transport without a descriptor to wait for is one of several");
    }
  }

  // Disconnects the links that another transport takes, so that nothing is heard of a peer twice.
  void attach(FrameHandler& handler) override {
    for (std::size_t i = 0; i < transports_.size(); ++i) {
      transports_[i]->attach(handler);
      for (std::size_t pid = 0; pid < route_.size(); ++pid) {
        if (route_[pid] != i) transports_[i]->disconnect(static_cast<Pid>(pid));
      }
    }
  }

  bool send(Pid to, OutgoingFrame& frame) override { return to_peer(to).send(to, frame); }

  bool poll(Pid expected) override {
    Transport* const first = expected < 0 ? nullptr : &to_peer(expected);
    bool happened = first != nullptr && first->poll(expected);
    if (first != nullptr && !std::exchange(slept_, false) && ++polls_ % polls_per_look_at_others != 0) return happened;
    for (const auto& transport : transports_) {
      if (transport.get() != first) happened |= transport->poll(std::min(expected, -1));
    }
    return happened;
  }

  bool soon() override {
    return std::ranges::any_of(transports_, [](const auto& transport) { return transport->soon(); });
  }

  // One sleep for all transports.
  void wait(Nanoseconds limit) override {
    descriptors_.clear();
    limit = std::min(limit, before_sleep(descriptors_));
    entries_.clear();
    for (const int descriptor : descriptors_) entries_.push_back({descriptor, POLLIN, 0});
    if (limit > Nanoseconds(0)) wait_until_readable(entries_, limit);
    for (const auto& transport : transports_) transport->wait(Nanoseconds(0));
    slept_ = true;
  }
  void wake() override { transports_.front()->wake(); }

  void disconnect(Pid peer) override { to_peer(peer).disconnect(peer); }
  void reset(Pid peer) override { to_peer(peer).reset(peer); }
  void close() override {
    for (const auto& transport : transports_) transport->close();
  }
  Nanoseconds now() const override { return transports_.front()->now(); }

  Pollable* pollable() override { return this; }
  Relocation* relocation() override { return any(&Transport::relocation) ? this : nullptr; }
  Batching* batching() override { return any(&Transport::batching) ? this : nullptr; }
  SendsAtOnce* sends_at_once(Pid peer) override { return to_peer(peer).sends_at_once(peer); }
  TakesAtOnce* takes_at_once(Pid peer) override { return to_peer(peer).takes_at_once(peer); }
  Liveness* liveness() override { return any(&Transport::liveness) ? this : nullptr; }

 private:
  Transport& to_peer(Pid pid) { return *transports_[route_[static_cast<std::size_t>(pid)]]; }

  template <class Part>
  bool any(Part* (Transport::*part)()) const {
    return std::ranges::any_of(transports_, [&](const auto& transport) { return (*transport.*part)() != nullptr; });
  }
  // Calls the function for each transport that has this optional part.
  template <class Part, class Function>
  void each(Part* (Transport::*part)(), const Function& function) {
    for (const auto& transport : transports_) {
      if (Part* const has = (*transport.*part)()) function(*has);
    }
  }

  Nanoseconds before_sleep(std::vector<int>& descriptors) override {
    Nanoseconds limit = forever;
    for (const auto& transport : transports_) {
      limit = std::min(limit, transport->pollable()->before_sleep(descriptors));
    }
    return limit;
  }

  void replace(Pid to, OutgoingFrame& frame, OutgoingFrame& copy) override {
    if (Relocation* const part = to_peer(to).relocation()) part->replace(to, frame, copy);
  }
  void redirect(Pid from, const Pieces& landing) override {
    if (Relocation* const part = to_peer(from).relocation()) part->redirect(from, landing);
  }

  void hold_back(std::function<void()> begins) override {
    each(&Transport::batching, [&](Batching& part) { part.hold_back(begins); });
  }
  void flush() override {
    each(&Transport::batching, [](Batching& part) { part.flush(); });
  }

  bool greet() override {
    bool busy = false;
    each(&Transport::liveness, [&](Liveness& part) { busy |= part.greet(); });
    return busy;
  }
  std::vector<Pid> silent(Nanoseconds limit) override {
    std::vector<Pid> found;
    each(&Transport::liveness, [&](Liveness& part) {
      const std::vector<Pid> more = part.silent(limit);
      found.insert(found.end(), more.begin(), more.end());
    });
    return found;
  }

  const std::vector<std::unique_ptr<Transport>> transports_;
  const std::vector<std::size_t> route_;  // by pid
  std::vector<int> descriptors_;          // for one sleep
  std::vector<pollfd> entries_;
  unsigned polls_ = 0;
  bool slept_ = false;  // after a sleep, any transport may have something
};

}  // namespace

std::unique_ptr<Transport> make_routed_transport(std::vector<std::unique_ptr<Transport>> transports,
                                                 std::vector<std::size_t> route) {
  return std::make_unique<RoutedTransport>(std::move(transports), std::move(route));
}

}  // namespace cohort
