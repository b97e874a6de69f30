// SPDX-License-Identifier: Apache-2.0
// A transport that wraps another one and injects faults on its links, as an Injection decides. It holds frames back,
// damages them and breaks links above the wrapped transport. So it needs no rights and no tools, and works on all
// transports.
#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/faults/injection.hpp"
#include "runtime/transport/transport.hpp"

namespace cohort {

class FaultyTransport final : public Transport,
                              private FrameHandler,
                              private Pollable,
                              private Relocation,
                              private Liveness {
 public:
  // The wrapped transport may have been in use: attach its handler again, to this one.
  FaultyTransport(std::unique_ptr<Transport> wrapped, Pid processes, Injection injection);

  void add(const PlannedFault& fault, std::uint64_t seed);
  // The process calls an operation.
  void called(Operation operation) { injection_.called(operation, now()); }
  std::vector<InjectedFault> happened() const { return injection_.happened(); }

  void attach(FrameHandler& handler) override;
  bool send(Pid to, OutgoingFrame& frame) override;
  bool poll(Pid expected) override;
  bool soon() override { return wrapped_->soon(); }
  void wait(Nanoseconds limit) override;
  void wake() override { wrapped_->wake(); }
  void disconnect(Pid peer) override;
  void reset(Pid peer) override { wrapped_->reset(peer); }
  void close() override;
  Nanoseconds now() const override { return wrapped_->now(); }
  Pollable* pollable() override { return wrapped_->pollable() != nullptr ? this : nullptr; }
  Relocation* relocation() override { return this; }
  Batching* batching() override { return wrapped_->batching(); }
  Liveness* liveness() override { return this; }

 private:
  // A frame that may not leave yet.
  struct Held {
    OutgoingFrame* frame;
    Nanoseconds due;
    Injection::Damage damage;
    std::uint64_t bit;
    std::optional<Nanoseconds> hidden_at = std::nullopt;  // when a black hole swallowed it
  };
  struct Link {
    std::deque<Held> held{};
    Nanoseconds hopeless_at = Injection::never;  // when a refused connection is given up
    bool reset = false;                          // the link breaks at the next poll()
    bool lost = false;
  };
  // A damaged copy of a frame, while the wrapped transport has it.
  struct Copy {
    OutgoingFrame frame;
    std::vector<std::byte> payload;
    OutgoingFrame* original;
    Pid to;
  };

  Nanoseconds before_sleep(std::vector<int>& descriptors) override;
  void replace(Pid to, OutgoingFrame& frame, OutgoingFrame& copy) override;
  void redirect(Pid from, const Pieces& landing) override;
  bool greet() override { return wrapped_->liveness() != nullptr && wrapped_->liveness()->greet(); }
  std::vector<Pid> silent(Nanoseconds limit) override;

  bool frame_begins(Pid from, const FrameHeader& header, Pieces& landing) override;
  bool discards(Pid from) override { return handler_->discards(from); }
  Guess likely_landing(Pid from, std::size_t least, std::size_t most) override {
    return handler_->likely_landing(from, least, most);
  }
  void frame_ends(Pid from, const FrameHeader& header) override { handler_->frame_ends(from, header); }
  void frame_sent(Pid to, OutgoingFrame& frame) override;
  void peer_lost(Pid peer, const std::string& cause) override;

  Link& link(Pid pid) { return links_[static_cast<std::size_t>(pid)]; }
  void connect(Pid pid);
  bool advance(Pid pid, Nanoseconds now);
  bool release(Pid to, Nanoseconds now);
  bool hand_over(Pid to, const Held& held);
  OutgoingFrame& damaged(Pid to, const Held& held);
  void let_go(Pid peer);
  void wait_for(Nanoseconds due);
  Nanoseconds left() const;

  const std::unique_ptr<Transport> wrapped_;
  Injection injection_;
  FrameHandler* handler_ = nullptr;
  std::vector<Link> links_;      // by pid
  std::vector<bool> connected_;  // by pid: a frame has passed
  std::map<OutgoingFrame*, std::unique_ptr<Copy>> copies_;
  std::atomic<Nanoseconds::rep> next_ = Nanoseconds::max().count();  // when poll() has something to do
};

}  // namespace cohort
