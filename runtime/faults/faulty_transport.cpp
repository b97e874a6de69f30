// SPDX-License-Identifier: Apache-2.0
#include "runtime/faults/faulty_transport.hpp"

#include <algorithm>
#include <utility>

namespace cohort {
namespace {

constexpr std::chrono::seconds dialers_patience{2};  // as long as a dialer tries when the system refuses

}  // namespace

FaultyTransport::FaultyTransport(std::unique_ptr<Transport> wrapped, Pid processes, Injection injection)
    : wrapped_(std::move(wrapped)),
      injection_(std::move(injection)),
      links_(static_cast<std::size_t>(processes)),
      connected_(static_cast<std::size_t>(processes)) {}

void FaultyTransport::add(const PlannedFault& fault, std::uint64_t seed) {
  injection_.add(fault, seed, now());
  wait_for(injection_.first_reset());
}

void FaultyTransport::attach(FrameHandler& handler) {
  handler_ = &handler;
  wrapped_->attach(*this);
}

bool FaultyTransport::send(Pid to, OutgoingFrame& frame) {
  Link& link = this->link(to);
  if (link.lost) return true;
  const Nanoseconds now = this->now();
  const std::size_t size = FrameHeader::wire_size + frame.header.payload;
  const bool connected = connected_[static_cast<std::size_t>(to)];
  Injection::Fate fate = injection_.send(to, size, connected, now);
  if (fate.reset) {
    link.reset = true;
    fate.due = Injection::never;  // the frame never leaves, because its link breaks
    wait_for(now);
  }
  if (fate.refused && link.hopeless_at == Injection::never) {
    link.hopeless_at = now + dialers_patience;
    wait_for(link.hopeless_at);
  }
  if (!link.held.empty()) fate.due = std::max(fate.due, link.held.back().due);
  if (fate.due <= now && link.held.empty()) return hand_over(to, {&frame, now, fate.damage, fate.bit});
  link.held.push_back({&frame, fate.due, fate.damage, fate.bit});
  if (fate.hidden) link.held.back().hidden_at = now;
  wait_for(fate.due);
  return false;
}

// By any thread that holds the lock, also while the driver sleeps.
void FaultyTransport::wait_for(Nanoseconds due) {
  if (due.count() >= next_.load(std::memory_order_relaxed)) return;
  next_.store(due.count(), std::memory_order_relaxed);
  wrapped_->wake();
}

bool FaultyTransport::poll(Pid expected) {
  bool happened = false;
  const Nanoseconds now = this->now();
  if (now.count() >= next_.load(std::memory_order_relaxed)) {
    next_.store(Injection::never.count(), std::memory_order_relaxed);
    for (const Pid broken : injection_.resets(connected_, now)) link(broken).reset = true;
    for (Pid pid = 0; pid < static_cast<Pid>(links_.size()); ++pid) {
      happened = advance(pid, now) || happened;
    }
    if (injection_.first_reset() > now) wait_for(injection_.first_reset());
  }
  return wrapped_->poll(expected) || happened;
}

bool FaultyTransport::advance(Pid pid, Nanoseconds now) {
  Link& link = this->link(pid);
  const Nanoseconds hopeless_at = connected_[static_cast<std::size_t>(pid)] ? Injection::never : link.hopeless_at;
  if (link.lost) return false;
  if (link.reset) {
    wrapped_->reset(pid);
    return true;
  }
  const bool moved = release(pid, now);
  if (link.held.empty()) return moved;
  if (now >= hopeless_at) {
    wrapped_->disconnect(pid);
    peer_lost(pid, "cannot connect: Connection refused");
    return true;
  }
  wait_for(std::min(link.held.front().due, hopeless_at));
  return moved;
}

// The time until poll() has something to do here.
Nanoseconds FaultyTransport::left() const {
  const Nanoseconds next(next_.load(std::memory_order_relaxed));
  return next == Injection::never ? forever : std::max(next - now(), Nanoseconds(0));
}

void FaultyTransport::wait(Nanoseconds limit) {
  const Nanoseconds most = std::min(limit, left());
  if (most > Nanoseconds(0) || limit == Nanoseconds(0)) wrapped_->wait(most);
}

Nanoseconds FaultyTransport::before_sleep(std::vector<int>& descriptors) {
  return std::min(wrapped_->pollable()->before_sleep(descriptors), left());
}

// Hands over the frames that are due. Returns whether there were any.
bool FaultyTransport::release(Pid to, Nanoseconds now) {
  Link& link = this->link(to);
  bool any = false;
  while (!link.lost && !link.held.empty() && link.held.front().due <= now) {
    const Held held = link.held.front();
    link.held.pop_front();
    any = true;
    if (hand_over(to, held)) handler_->frame_sent(to, *held.frame);
  }
  return any;
}

bool FaultyTransport::hand_over(Pid to, const Held& held) {
  connect(to);
  if (held.damage == Injection::Damage::none) return wrapped_->send(to, *held.frame);
  OutgoingFrame& copy = damaged(to, held);
  if (!wrapped_->send(to, copy)) return false;
  copies_.erase(&copy);
  return true;
}

// The wrapped transport computes the header's checksum afterwards. So a damaged header gets a flipped bit that makes
// its kind invalid.
OutgoingFrame& FaultyTransport::damaged(Pid to, const Held& held) {
  auto copy = std::make_unique<Copy>(Copy{{}, {}, held.frame, to});
  copy->frame.header = held.frame->header;
  copy->frame.owner = held.frame->owner;
  for (const ConstPiece& piece : held.frame->payload)
    copy->payload.insert(copy->payload.end(), piece.data, piece.data + piece.size);
  if (held.damage == Injection::Damage::header || copy->payload.empty()) {
    copy->frame.header.kind = static_cast<FrameKind>(static_cast<std::uint8_t>(copy->frame.header.kind) ^ 0x80u);
  } else {
    const std::uint64_t bit = held.bit % (8 * copy->payload.size());
    copy->payload[bit / 8] ^= std::byte{1} << bit % 8;
  }
  if (!copy->payload.empty()) copy->frame.payload.push_back({copy->payload.data(), copy->payload.size()});
  OutgoingFrame* const frame = &copy->frame;
  copies_.emplace(frame, std::move(copy));
  return *frame;
}

void FaultyTransport::connect(Pid pid) {
  if (connected_[static_cast<std::size_t>(pid)]) return;
  connected_[static_cast<std::size_t>(pid)] = true;
  wait_for(injection_.first_reset());
}

// A frame shows that the other side has made the connection that this side was refused.
bool FaultyTransport::frame_begins(Pid from, const FrameHeader& header, Pieces& landing) {
  if (!connected_[static_cast<std::size_t>(from)]) {
    connect(from);
    Link& link = this->link(from);
    if (link.hopeless_at != Injection::never) {
      for (Held& held : link.held) held.due = now();
      wait_for(now());
    }
  }
  return handler_->frame_begins(from, header, landing);
}

void FaultyTransport::frame_sent(Pid to, OutgoingFrame& frame) {
  const auto copy = copies_.find(&frame);
  if (copy == copies_.end()) return handler_->frame_sent(to, frame);
  OutgoingFrame& original = *copy->second->original;
  copies_.erase(copy);
  handler_->frame_sent(to, original);
}

void FaultyTransport::peer_lost(Pid peer, const std::string& cause) {
  let_go(peer);
  handler_->peer_lost(peer, cause);
}

void FaultyTransport::disconnect(Pid peer) {
  wrapped_->disconnect(peer);
  let_go(peer);
}

void FaultyTransport::replace(Pid to, OutgoingFrame& frame, OutgoingFrame& copy) {
  for (Held& held : link(to).held) {
    if (held.frame != &frame) continue;
    held.frame = &copy;
    return;
  }
  for (const auto& [damaged, of] : copies_) {
    if (of->original != &frame) continue;
    of->original = &copy;
    return;
  }
  if (Relocation* const relocation = wrapped_->relocation()) relocation->replace(to, frame, copy);
}

void FaultyTransport::redirect(Pid from, const Pieces& landing) {
  if (Relocation* const relocation = wrapped_->relocation()) relocation->redirect(from, landing);
}

void FaultyTransport::let_go(Pid peer) {
  link(peer).lost = true;
  link(peer).held.clear();
  std::erase_if(copies_, [&](const auto& copy) { return copy.second->to == peer; });
}

// Reports a peer whose frames are swallowed here, as the wrapped transport reports a network that swallows them.
std::vector<Pid> FaultyTransport::silent(Nanoseconds limit) {
  std::vector<Pid> found;
  if (Liveness* const liveness = wrapped_->liveness()) found = liveness->silent(limit);
  for (Pid pid = 0; pid < static_cast<Pid>(links_.size()); ++pid) {
    const Link& link = this->link(pid);
    const bool swallowed = !link.lost && !link.held.empty() && link.held.front().hidden_at;
    if (swallowed && now() - *link.held.front().hidden_at >= limit) found.push_back(pid);
  }
  return found;
}

// Late frames leave at once; frames in a black hole stay there.
void FaultyTransport::close() {
  for (Pid pid = 0; pid < static_cast<Pid>(links_.size()); ++pid) {
    for (const Held& held : std::exchange(link(pid).held, {})) {
      if (held.due != Injection::never && !link(pid).lost) hand_over(pid, held);
    }
  }
  wrapped_->close();
}

}  // namespace cohort
