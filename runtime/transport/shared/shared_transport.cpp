// SPDX-License-Identifier: Apache-2.0
// All functions are under the runtime's lock, except wait(), before_sleep() and wake(). Those read only what poll()
// writes, which the same thread calls, and atomic words.
#include "runtime/transport/shared/shared_transport.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "runtime/random_number.hpp"
#include "runtime/readable.hpp"
#include "runtime/transport/deaf.hpp"
#include "runtime/transport/parcel.hpp"
#include "runtime/transport/shared/shared_link.hpp"

namespace cohort {
namespace {

using shared::Ended;
using shared::Mailbox;
using shared::RecordKind;
using shared::SharedLink;

constexpr unsigned turns_per_look_at_others = 64;  // at the other rings, while frames from one peer are expected
constexpr int frames_per_turn = 16;                // of one ring
constexpr std::chrono::seconds close_patience{2};
constexpr const char* process_ended = "its process has ended";

class SharedTransport final : public Transport,
                              private Pollable,
                              private Relocation,
                              private SendsAtOnce,
                              private TakesAtOnce {
 public:
  SharedTransport(const Endpoints& endpoints, std::shared_ptr<HostMemory> memory, const SharedLimits& limits,
                  TimeSource time);
  ~SharedTransport() override { say_goodbye(); }

  void attach(FrameHandler& handler) override { handler_ = &handler; }
  bool send(Pid to, OutgoingFrame& frame) override;
  bool poll(Pid expected) override;
  bool soon() override { return std::ranges::any_of(busy_, &SharedLink::is_being_read); }
  void wait(Nanoseconds limit) override;
  void wake() override;
  void disconnect(Pid peer) override;
  void reset(Pid peer) override;
  void close() override;
  Nanoseconds now() const override { return time_(); }
  Pollable* pollable() override { return this; }
  Relocation* relocation() override { return this; }
  SendsAtOnce* sends_at_once(Pid) override { return this; }
  TakesAtOnce* takes_at_once(Pid) override { return this; }

 private:
  Nanoseconds before_sleep(std::vector<int>& descriptors) override;
  void replace(Pid to, OutgoingFrame& frame, OutgoingFrame& copy) override { link(to).replace(frame, copy); }
  void redirect(Pid from, const Pieces& landing) override { link(from).arriving.redirect(landing); }

  bool send_at_once(Pid to, const FrameHeader& header, std::span<const ConstPiece> payload) override;
  Look look_at_next(Pid from, Next& next) override;
  void take_next(Pid from) override;

  SharedLink& link(Pid pid) { return *links_[static_cast<std::size_t>(pid)]; }
  Mailbox& mine() const { return memory_->mailbox(place_); }
  bool may_sleep();

  void open_to(SharedLink& link);
  void open_from(SharedLink& link);
  bool look_at_notices();
  const char* why_ended(const SharedLink& link) const;
  bool await_room(SharedLink& link);
  bool write_on(SharedLink& link);
  bool tell_what_was_read();
  bool write_all();
  bool read(SharedLink& link, int frames);
  void free(SharedLink& link, const shared::RingReader::Record& record) {
    if (link.in->free(record)) memory_->notify(link.place);
  }
  void set_busy(SharedLink& link);
  void lose(SharedLink& link, const std::string& cause, bool by_reset = false);
  void let_go(SharedLink& link, bool by_reset);
  void say_goodbye();

  const std::shared_ptr<HostMemory> memory_;
  const std::size_t direct_from_;
  const TimeSource time_;
  const std::uint64_t nonce_ = random_number();  // which peers must be able to read here
  std::size_t place_ = 0;
  std::vector<std::unique_ptr<SharedLink>> links_;  // by pid
  std::vector<SharedLink*> by_place_;               // null: this process
  Deaf deaf_;
  FrameHandler* handler_ = &deaf_;
  bool closing_ = false;

  std::vector<SharedLink*> readable_;  // peers that have sent
  std::vector<SharedLink*> busy_;      // frames for them are on their way
  std::vector<SharedLink*> ending_;    // they send no more than their rings hold
  std::uint32_t seen_notices_ = 0;
  unsigned turns_ = 0;  // since the last look at all rings
  std::atomic<bool> woken_ = false;
  std::atomic<bool> others_wait_ = false;  // some ring's content keeps this process from sleeping: look at all rings
  bool rings_ = false;                     // the bell may have been rung since it was cleared; the driver's
};

SharedTransport::SharedTransport(const Endpoints& endpoints, std::shared_ptr<HostMemory> memory,
                                 const SharedLimits& limits, TimeSource time)
    : memory_(std::move(memory)), direct_from_(limits.direct_from), time_(time) {
  by_place_.resize(memory_->processes());
  for (Pid pid = 0; pid < endpoints.ranks(); ++pid) {
    SharedLink& link = *links_.emplace_back(std::make_unique<SharedLink>(pid, limits.in_turn));
    link.place = endpoints.address(pid).place;
    if (!endpoints.shares_memory(pid)) {
      link.lost = true;
    } else if (pid == endpoints.me) {
      place_ = link.place;
    } else {
      by_place_.at(link.place) = &link;
    }
  }
  const bool joined = memory_->join_barriers(place_);
  for (const auto& link : links_) link->joined = joined;
  mine().process.store(::getpid());
  mine().nonce_at.store(reinterpret_cast<std::uint64_t>(&nonce_));
  mine().nonce.store(nonce_);
}

// --- sending

bool SharedTransport::send(Pid to, OutgoingFrame& frame) {
  SharedLink& link = this->link(to);
  if (link.lost) return true;
  if (!link.out) open_to(link);
  frame.written = 0;
  if (link.first == nullptr && link.ending.empty()) {
    switch (link.write(frame, direct_from_, *memory_)) {
      case SharedLink::Written::whole:
        return true;
      case SharedLink::Written::as_reference:
        set_busy(link);
        return false;
      case SharedLink::Written::in_part:
        break;
    }
  }
  link.enqueue(frame);
  set_busy(link);
  if (await_room(link)) wake();
  return false;
}

// The peer may sleep although its ring holds something: the lines that were skipped.
bool SharedTransport::await_room(SharedLink& link) {
  const bool has_room = link.out->await_room();
  memory_->wake(link.place);
  return has_room;
}

bool SharedTransport::send_at_once(Pid to, const FrameHeader& header, std::span<const ConstPiece> payload) {
  SharedLink& link = this->link(to);
  return link.out && !link.lost && link.first == nullptr && link.ending.empty() &&
         link.write_at_once(header, payload, *memory_);
}

// A process that has nothing to wait for may sleep, and must then be woken to see the peer's end.
void SharedTransport::open_to(SharedLink& link) {
  link.out.emplace(memory_->ring(place_, link.place), memory_->ring_size());
  Mailbox& theirs = memory_->mailbox(link.place);
  if (!memory_->reserve_ring(place_, link.place)) {
    link.ending = "no memory is left for a ring to it";
  } else {
    theirs.opened.add(place_);
    memory_->notify(link.place);
    if (theirs.state.load() == Ended::no && !mine().ended.has(link.place)) return;
    link.ending = why_ended(link);
  }
  ending_.push_back(&link);
  wake();
}

void SharedTransport::set_busy(SharedLink& link) {
  if (!std::exchange(link.busy, true)) busy_.push_back(&link);
}

bool SharedTransport::write_on(SharedLink& link) {
  bool happened = false;
  while (link.first != nullptr && !link.lost && link.ending.empty()) {
    OutgoingFrame& frame = *link.first;
    const std::size_t before = frame.written;
    const SharedLink::Written written = link.write(frame, direct_from_, *memory_);
    happened |= written != SharedLink::Written::in_part || frame.written != before;
    if (written == SharedLink::Written::in_part) {
      if (!await_room(link)) break;
      continue;
    }
    link.dequeue();
    if (written == SharedLink::Written::whole) handler_->frame_sent(link.pid, frame);
  }
  return happened;
}

// In these two the handler may make links busy.
bool SharedTransport::tell_what_was_read() {
  bool happened = false;
  for (std::size_t i = 0; i < busy_.size(); ++i) {
    for (OutgoingFrame* frame; (frame = busy_[i]->take_read()) != nullptr; happened = true)
      handler_->frame_sent(busy_[i]->pid, *frame);
  }
  return happened;
}

bool SharedTransport::write_all() {
  bool happened = false;
  for (std::size_t i = 0; i < busy_.size(); ++i) happened |= write_on(*busy_[i]);
  std::erase_if(busy_, [](SharedLink* link) { return !link->stays_busy(); });
  return happened;
}

// --- receiving

bool SharedTransport::poll(Pid expected) {
  // Before the looks for what was read and for room: a notice that comes after those must not count as seen.
  bool happened = mine().notices.load(std::memory_order_acquire) != seen_notices_ && look_at_notices();
  // A sender that hears now that its payload was read can begin to receive before it finds the answer here.
  if (tell_what_was_read()) return true;
  if (expected >= 0 && link(expected).in) happened |= read(link(expected), 1);
  if (!busy_.empty()) happened |= write_all();
  if (expected < 0 || others_wait_.load(std::memory_order_relaxed) || ++turns_ >= turns_per_look_at_others) {
    others_wait_.store(false, std::memory_order_relaxed);
    turns_ = 0;
    for (std::size_t i = 0; i < readable_.size(); ++i) happened |= read(*readable_[i], frames_per_turn);
  }
  if (ending_.empty()) return happened;
  std::erase_if(readable_, [](const SharedLink* link) { return link->lost.load(); });
  for (SharedLink* const link : std::exchange(ending_, {})) {
    while (link->in && !link->lost && read(*link, frames_per_turn)) {
    }
    tell_what_was_read();
    lose(*link, link->ending);
  }
  return true;
}

bool SharedTransport::look_at_notices() {
  seen_notices_ = mine().notices.load();
  bool happened = false;
  for (std::size_t place = 0; place < by_place_.size(); ++place) {
    SharedLink* const link = by_place_[place];
    if (link == nullptr || link->lost) continue;
    const bool ended = mine().ended.has(place);  // before the look for a ring: what it sent before is to be read
    if (!link->in && mine().opened.has(place)) {
      open_from(*link);
      happened = true;
    }
    if ((!link->in && !link->out) || !link->ending.empty() || !ended) continue;
    link->ending = why_ended(*link);
    ending_.push_back(link);
  }
  return happened;
}

const char* SharedTransport::why_ended(const SharedLink& link) const {
  if (memory_->mailbox(link.place).state.load() == Ended::died) return process_ended;
  return mine().reset.has(link.place) ? connection_reset : transport_closed;
}

void SharedTransport::open_from(SharedLink& link) {
  const Mailbox& theirs = memory_->mailbox(link.place);
  link.in.emplace(memory_->ring(link.place, place_), memory_->ring_size());
  if (shared::can_read_peer(theirs.process.load(), theirs.nonce_at.load(), theirs.nonce.load())) {
    link.in->reads_directly();
  }
  readable_.push_back(&link);
}

// A look for a record behind the last one would cost a transfer between the processors' caches: so whoever awaits one
// frame reads one.
bool SharedTransport::read(SharedLink& link, int frames) {
  bool happened = false;
  while (frames > 0 && !link.lost) {
    const shared::RingReader::Record record = link.in->next();
    if (record.kind == RecordKind::nothing && record.valid) break;
    happened = true;
    if (closing_ && record.valid) {
      link.drop(record, *memory_);
    } else if (const char* const mistake = link.take(record, *handler_, *memory_)) {
      lose(link, mistake);
      break;
    }
    free(link, record);
    if (!link.arriving.active()) {
      if (record.kind == RecordKind::frame) --frames;
    } else if (link.arriving.missing() == 0) {
      link.arriving.end();
      --frames;
      handler_->frame_ends(link.pid, link.arriving.header());
    }
  }
  return happened;
}

TakesAtOnce::Look SharedTransport::look_at_next(Pid from, Next& next) {
  SharedLink& link = this->link(from);
  return link.in && !link.lost && turns_ < turns_per_look_at_others ? link.look_at_next(next) : Look::poll_is_needed;
}

void SharedTransport::take_next(Pid from) {
  ++turns_;
  free(link(from), link(from).next);
}

// --- sleeping

// From here on, who has something for this process rings its bell. Returns false if there is something already.
bool SharedTransport::may_sleep() {
  if (mine().asleep.load(std::memory_order_relaxed) % 2 == 0) mine().asleep.fetch_add(1);
  rings_ = true;
  if (!memory_->execute_barrier(place_) || woken_ || mine().notices.load() != seen_notices_) return false;
  const auto waits = [](const SharedLink* link) { return !link->lost && !link->in->empty(); };
  if (std::ranges::any_of(readable_, waits)) others_wait_.store(true, std::memory_order_relaxed);
  return !others_wait_.load(std::memory_order_relaxed);
}

Nanoseconds SharedTransport::before_sleep(std::vector<int>& descriptors) {
  descriptors.push_back(memory_->bell(place_));
  return may_sleep() ? forever : Nanoseconds(0);
}

void SharedTransport::wait(Nanoseconds limit) {
  std::array<pollfd, 1> bell{{{memory_->bell(place_), POLLIN, 0}}};
  if (limit > Nanoseconds(0) && may_sleep()) wait_until_readable(bell, limit);
  if (!std::exchange(rings_, false)) return;
  std::uint32_t sleep = mine().asleep.load();
  if (sleep % 2 != 0) mine().asleep.compare_exchange_strong(sleep, sleep + 1);
  woken_.store(false);
  eventfd_t count = 0;
  ::eventfd_read(bell[0].fd, &count);
}

void SharedTransport::wake() {
  if (!woken_.exchange(true)) memory_->ring_bell(place_);
}

// --- the end of a link

void SharedTransport::disconnect(Pid peer) { let_go(link(peer), /*by_reset=*/false); }

void SharedTransport::reset(Pid peer) { lose(link(peer), connection_reset, /*by_reset=*/true); }

void SharedTransport::lose(SharedLink& link, const std::string& cause, bool by_reset) {
  if (link.lost) return;
  let_go(link, by_reset);
  handler_->peer_lost(link.pid, cause);
}

void SharedTransport::let_go(SharedLink& link, bool by_reset) {
  if (link.lost.exchange(true)) return;
  link.take_back();
  link.arriving.end();
  memory_->end_link(place_, link.place, by_reset);
}

// The handler is not called any more. What is in the rings stays there for the peers. References need this process's
// memory, so the peers must have read them. Meanwhile, arriving frames are dropped: peers that wait for room would
// never read.
void SharedTransport::close() {
  closing_ = true;
  handler_ = &deaf_;
  for (const auto& link : links_) link->arriving.end();
  const Nanoseconds end = now() + close_patience;
  for (;;) {
    const bool happened = poll(-1);
    if (busy_.empty() || now() >= end) break;
    if (!happened) wait(end - now());
  }
  say_goodbye();
}

void SharedTransport::say_goodbye() {
  Ended before = Ended::no;
  mine().state.compare_exchange_strong(before, Ended::closed);
  for (const auto& link : links_) {
    if (!link->lost && (link->in || link->out || mine().opened.has(link->place))) let_go(*link, /*by_reset=*/false);
  }
}

}  // namespace

std::unique_ptr<Transport> make_shared_transport(const Endpoints& endpoints, std::shared_ptr<HostMemory> memory,
                                                 const SharedLimits& limits, TimeSource time) {
  return std::make_unique<SharedTransport>(endpoints, std::move(memory), limits, time);
}

}  // namespace cohort
