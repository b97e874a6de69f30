// SPDX-License-Identifier: Apache-2.0
// The transport over real sockets.
//
// send() and poll() read and write the sockets directly; an epoll set says which are ready. The greeter makes
// connections: its sockets are in sets of its own, which are in the transport's set. In wait(), without the runtime's
// lock, the driver only notes what it finds (ready_, greeter_ready_); poll() acts on it. All else is under the lock.
#include "runtime/transport/tcp/tcp_transport.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "cohort/error.hpp"
#include "runtime/inert.hpp"
#include "runtime/transport/deaf.hpp"
#include "runtime/transport/tcp/greeter.hpp"
#include "runtime/transport/tcp/link.hpp"
#include "runtime/transport/tcp/socket_set.hpp"
#include "runtime/wakeup.hpp"

namespace cohort {
namespace {

constexpr unsigned polls_per_look = 64;  // at all sockets, while a frame from one is expected
constexpr std::chrono::seconds close_patience{2};

class TcpTransport final : public Transport,
                           private Pollable,
                           private Relocation,
                           private Batching,
                           private SendsAtOnce,
                           private Liveness {
 public:
  TcpTransport(const Endpoints& job, const TcpLimits& limits, TimeSource time, int listener)
      : job_(job),
        time_(time),
        links_(job.processes.size()),
        staging_(Connection::staging_size),
        listener_(listener),
        greeter_(job_, limits.silence, listener) {
    sockets_.add(waker_.descriptor(), &waker_, EPOLLIN);
    for (const int descriptor : greeter_.descriptors()) sockets_.add(descriptor, &greeter_, EPOLLIN);
  }

  ~TcpTransport() override { refuse_all(); }

  void attach(FrameHandler& handler) override { handler_ = &handler; }
  bool send(Pid to, OutgoingFrame& frame) override;
  bool poll(Pid expected) override;
  void wait(Nanoseconds limit) override;
  void wake() override;
  void disconnect(Pid peer) override;
  void reset(Pid peer) override;
  void close() override;
  Nanoseconds now() const override { return time_(); }
  Pollable* pollable() override { return this; }
  Relocation* relocation() override { return this; }
  Batching* batching() override { return this; }
  SendsAtOnce* sends_at_once(Pid) override { return this; }
  Liveness* liveness() override { return this; }

 private:
  Nanoseconds before_sleep(std::vector<int>& descriptors) override;
  void replace(Pid to, OutgoingFrame& frame, OutgoingFrame& copy) override { link(to).connection.replace(frame, copy); }
  void redirect(Pid from, const Pieces& landing) override { link(from).connection.redirect(landing); }
  void hold_back(std::function<void()> begins) override { bursts_.allow(std::move(begins), links_.size()); }
  void flush() override { flush(/*drives=*/false); }
  bool send_at_once(Pid to, const FrameHeader& header, std::span<const ConstPiece> payload) override;
  bool greet() override;
  std::vector<Pid> silent(Nanoseconds limit) override;

  Link& link(Pid pid) {
    std::unique_ptr<Link>& link = links_[static_cast<std::size_t>(pid)];
    if (!link) link = std::make_unique<Link>(pid, job_.shares_host(pid));
    return *link;
  }
  bool hold_back(Link& link, const FrameHeader& header, std::span<const ConstPiece> payload) {
    const bool held = bursts_.hold_back(link, header, payload, time_);
    if (held && bursts_.late()) flush(/*drives=*/true);
    return held;
  }
  bool anything_noted() const { return !ready_.empty() || greeter_ready_; }  // for the driver
  bool anything_to_do() const { return anything_noted() || greeter_.has_news() || !broken_.empty(); }
  Nanoseconds time_to_sleep() const;  // until the greeter has something to do

  bool act(Pid expected);
  bool read_directly(Link& link);
  void look();
  void note(std::span<const epoll_event> events);
  bool act_on_notes();
  bool open(const Met& met);
  bool read(Link& link);
  bool write(Link& link);
  void flush(bool drives);
  void settle(Link& link, bool full = false);
  void await_write(Link& link, bool awaits);
  void lose(Link& link, const std::string& cause);
  void let_go(Link& link);
  bool finish(Link& link);
  void refuse_all();

  const Endpoints job_;
  const TimeSource time_;
  Deaf deaf_;
  FrameHandler* handler_ = &deaf_;
  bool closing_ = false;
  std::vector<std::unique_ptr<Link>> links_;  // by pid; made on first use
  std::vector<std::byte> staging_;
  struct Ready {
    Link* link;
    std::uint32_t events;
  };
  std::vector<Ready> ready_;
  std::vector<Ready> acting_;
  bool greeter_ready_ = false;
  std::vector<Link*> broken_;  // found broken outside of poll(), which reports them
  unsigned polls_ = 0;
  Bursts bursts_;
  int listener_;
  detail::Wakeup waker_;
  std::atomic<bool> woken_ = false;
  bool roused_ = false;  // the driver has seen a wake-up
  SocketSet sockets_;    // its keys are the addresses of the waker, the greeter and the links
  Greeter greeter_;
};

bool TcpTransport::send(Pid to, OutgoingFrame& frame) {
  Link& link = this->link(to);
  if (link.state == Link::State::lost) return true;
  if (hold_back(link, frame.header, frame.payload)) return true;
  const bool first = link.state == Link::State::unconnected && !link.connection.queued();
  const bool was_failed = !link.connection.failure().empty();
  const bool left = link.connection.send(frame);
  if (bursts_.times_write()) bursts_.wrote(now());
  if (left) return true;
  if (first) {
    greeter_.dial(to, now());
    wake();  // the driver may sleep beyond the time of the next attempt
  } else if (link.state == Link::State::open && !was_failed) {
    settle(link);
  }
  return false;
}

bool TcpTransport::send_at_once(Pid to, const FrameHeader& header, std::span<const ConstPiece> payload) {
  Link& link = this->link(to);
  if (link.state != Link::State::open || link.awaits_write || !link.connection.failure().empty()) return false;
  if (hold_back(link, header, payload)) return true;
  const bool left = link.connection.send_at_once(header, payload);
  if (left && bursts_.times_write()) bursts_.wrote(now());
  const bool has_no_room = !left && link.connection.keeps() && link.connection.failure().empty();
  if (has_no_room) return false;                                        // send() sends both
  if (!left || link.connection.queued()) settle(link, /*full=*/!left);  // send() follows, and must not hold it
  return left;
}

// Called outside of poll(), which alone reports a failure. What is held back leaves also while the process computes.
void TcpTransport::settle(Link& link, bool full) {
  if (link.connection.failure().empty()) {
    await_write(link, full || link.connection.queued());
    if (link.connection.keeps()) bursts_.add(link);
  } else {
    broken_.push_back(&link);
    wake();
  }
}

// The driver hears when a full socket takes more; another thread tries.
void TcpTransport::flush(bool drives) {
  for (Link* link : bursts_.take()) {
    if (link->state != Link::State::open || !link->connection.keeps()) continue;
    if (!drives || !link->awaits_write) link->connection.flush_kept();
    settle(*link);
  }
}

bool TcpTransport::poll(Pid expected) {
  const bool happened = act(expected);
  const bool idle = !happened && expected != in_passing;
  bursts_.polled(!idle);
  if (bursts_.any() && (idle || bursts_.late(now()))) flush(/*drives=*/true);
  return happened;
}

bool TcpTransport::act(Pid expected) {
  Link* const awaited = expected < 0 ? nullptr : &link(expected);
  const bool direct = awaited != nullptr && awaited->state == Link::State::open;
  bool happened = false;
  if (anything_to_do()) {
    happened = act_on_notes();
  } else if (direct) {
    happened = read_directly(*awaited);
  }
  if (direct && ++polls_ % polls_per_look != 0) return happened;
  sockets_.watch_all_but(awaited);
  look();
  return act_on_notes() || happened;
}

// Reads an open link. A link that waits to be written stays in the set.
bool TcpTransport::read_directly(Link& link) {
  const bool wrote = link.connection.queued() && write(link);
  if (link.state != Link::State::open || link.seen_to_be_empty() || !read(link)) return wrote;
  if (link.state == Link::State::open && !link.awaits_write) sockets_.was_read(link.descriptor, &link);
  return true;
}

bool TcpTransport::greet() {
  greeter_.advance(now());
  if (greeter_.has_news()) wake();
  return greeter_.busy();
}

void TcpTransport::look() {
  note(sockets_.wait(Nanoseconds(0)));
  if (greeter_.due() != Dialer::never && now() >= greeter_.due()) greeter_ready_ = true;
}

void TcpTransport::note(std::span<const epoll_event> events) {
  for (const epoll_event& event : events) {
    if (event.data.ptr == &waker_) {
      waker_.clear();
      woken_.store(false, std::memory_order_release);
      roused_ = true;
    } else if (event.data.ptr == &greeter_) {
      greeter_ready_ = true;
    } else {
      ready_.push_back({static_cast<Link*>(event.data.ptr), event.events});
    }
  }
}

bool TcpTransport::act_on_notes() {
  if (std::exchange(greeter_ready_, false)) greeter_.advance(now());
  bool happened = false;
  for (const Met& met : greeter_.take_met()) happened |= open(met);
  for (const GivenUp& given_up : greeter_.take_given_up()) {
    if (given_up.own_fault && !closing_) throw Error(ErrorCode::job, given_up.cause);
    lose(link(given_up.peer), given_up.cause);
    happened = true;
  }
  for (Link* const link : std::exchange(broken_, {})) ready_.push_back({link, EPOLLERR});
  acting_.clear();
  std::swap(acting_, ready_);
  for (const auto& [link, events] : acting_) {
    if (link->state == Link::State::open && (events & EPOLLOUT) != 0) happened |= write(*link);
    if (link->state == Link::State::open && (events & ~EPOLLOUT) != 0) happened |= read(*link);
  }
  return happened;
}

bool TcpTransport::open(const Met& met) {
  Link& link = this->link(met.peer);
  if (link.state != Link::State::unconnected) {
    ::close(met.descriptor);
    return false;
  }
  link.open(met.descriptor);
  sockets_.add(link.descriptor, &link, EPOLLIN);
  write(link);
  if (link.state == Link::State::open) read(link);
  return true;
}

bool TcpTransport::read(Link& link) {
  const bool happened = closing_ ? link.connection.discard(staging_) : link.connection.receive(*handler_, staging_);
  if (!link.connection.ended()) return happened;
  lose(link, link.connection.failure());
  return true;
}

bool TcpTransport::write(Link& link) {
  const bool happened = link.connection.flush(*handler_);
  if (!link.connection.failure().empty()) return read(link) || happened;
  await_write(link, link.connection.queued());
  return happened;
}

void TcpTransport::await_write(Link& link, bool awaits) {
  if (link.awaits_write == awaits) return;
  link.awaits_write = awaits;
  sockets_.change(link.descriptor, &link, awaits ? EPOLLIN | EPOLLOUT : EPOLLIN);
}

void TcpTransport::lose(Link& link, const std::string& cause) {
  if (link.state == Link::State::lost) return;
  let_go(link);
  handler_->peer_lost(link.pid, cause);
  link.close();  // not earlier: the other end would report the close as the cause
}

void TcpTransport::disconnect(Pid peer) {
  Link& link = this->link(peer);
  if (link.state == Link::State::lost) return;
  let_go(link);
  link.close();
}

void TcpTransport::let_go(Link& link) {
  link.state = Link::State::lost;
  link.connection.drop_queue();
  sockets_.forget(link.descriptor);
  greeter_.forget(link.pid);
}

void TcpTransport::reset(Pid peer) {
  Link& link = this->link(peer);
  if (link.state == Link::State::open) link.will_reset();
  lose(link, "connection reset");
}

std::vector<Pid> TcpTransport::silent(Nanoseconds limit) {
  std::vector<Pid> found = greeter_.silent(limit, now());
  for (const auto& link : links_) {
    if (link && link->state == Link::State::open && link->silence.lasts(link->descriptor, limit, now())) {
      found.push_back(link->pid);
    }
  }
  return found;
}

Nanoseconds TcpTransport::time_to_sleep() const {
  const Nanoseconds due = greeter_.due();
  return due == Dialer::never ? forever : std::max(due - now(), Nanoseconds(0));
}

Nanoseconds TcpTransport::before_sleep(std::vector<int>& descriptors) {
  sockets_.watch_all_but(nullptr);
  descriptors.push_back(sockets_.descriptor());
  return anything_noted() || roused_ ? Nanoseconds(0) : time_to_sleep();
}

void TcpTransport::wait(Nanoseconds limit) {
  sockets_.watch_all_but(nullptr);
  const Nanoseconds begun = now();
  Nanoseconds left = anything_noted() || roused_ ? Nanoseconds(0) : limit;
  do {
    note(sockets_.wait(std::min(left, time_to_sleep())));
    const Nanoseconds now = this->now();
    if (now >= greeter_.due()) greeter_ready_ = true;
    left = limit - (now - begun);
  } while (!anything_noted() && !roused_ && left > Nanoseconds(0));
  roused_ = false;
}

void TcpTransport::wake() {
  if (woken_.exchange(true, std::memory_order_acq_rel)) return;
  waker_.set();
}

// The handler is not called any more. Arriving data are read and dropped: closing a socket with unread data would make
// the system drop data that were sent.
void TcpTransport::close() {
  closing_ = true;
  handler_ = &deaf_;
  flush();
  greeter_.hurry(now());
  const auto end = now() + close_patience;
  for (auto left = Nanoseconds(close_patience); left > Nanoseconds(0); left = end - now()) {
    act_on_notes();
    bool finished = true;
    for (const auto& link : links_) finished &= !link || finish(*link);
    if (finished) break;
    wait(left);
  }
  refuse_all();
  for (const auto& link : links_) {
    if (!link) continue;
    link->state = Link::State::lost;
    link->close();
  }
}

// From now on, new connections are refused at once.
void TcpTransport::refuse_all() {
  greeter_.stop();
  if (listener_ >= 0) detail::close_own(std::exchange(listener_, -1));
}

// Tells a peer that nothing follows, once its queue is empty. Returns whether the peer has told the same.
bool TcpTransport::finish(Link& link) {
  if (link.state == Link::State::unconnected) return !link.connection.queued();
  if (link.state == Link::State::open && !link.connection.queued() && !link.finished) {
    link.finished = true;
    ::shutdown(link.descriptor, SHUT_WR);
  }
  return link.state == Link::State::lost;
}

}  // namespace

std::unique_ptr<Transport> make_tcp_transport(const Endpoints& endpoints, TcpListener listener, const TcpLimits& limits,
                                              TimeSource time) {
  return std::make_unique<TcpTransport>(endpoints, limits, time, std::exchange(listener.descriptor_, -1));
}

}  // namespace cohort
