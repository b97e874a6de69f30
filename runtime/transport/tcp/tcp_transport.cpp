// The transport over real sockets.
//
// Reading and writing happen straight on the sockets, in send() and poll(); an epoll set says which are ready. Asio's
// reactor makes connections; while none is being made the driver does not ask it. What the driver finds while it sleeps
// in wait(), without the runtime's lock, is only noted down (ready_, arrived_, failed_) and acted upon in poll(). These
// notes are the driver's alone, and greet()'s while there is none: a send() by another thread touches connections only,
// and leaves the rest to the reactor, to which any thread may post.
#include "runtime/transport/tcp/tcp_transport.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <optional>
#include <utility>

#include "cohort/error.hpp"
#include "runtime/inert.hpp"
#include "runtime/transport/tcp/greeter.hpp"
#include "runtime/transport/tcp/link.hpp"
#include "runtime/transport/tcp/reactor.hpp"
#include "runtime/transport/tcp/socket_set.hpp"
#include "runtime/wakeup.hpp"

namespace cohort {
namespace {

using asio::ip::tcp;

constexpr unsigned polls_per_look = 64;  // at all sockets, while one is expected to speak
constexpr std::chrono::seconds close_patience{2};

// A handler for the time of closing.
class Deaf final : public FrameHandler {
 public:
  bool frame_begins(Pid, const FrameHeader&, Pieces&) override { return false; }
  void frame_ends(Pid, const FrameHeader&) override {}
  void frame_sent(Pid, OutgoingFrame&) override {}
  void peer_lost(Pid, const std::string&) override {}
};

class TcpTransport final : public Transport, private Relocation, private Batching, private Liveness, private Arrivals {
 public:
  TcpTransport(const Endpoints& job, const TcpLimits& limits, TimeSource time, int listener)
      : job_(job),
        time_(time),
        links_(job.processes.size()),
        staging_(Connection::staging_size),
        listener_(listener),
        reactor_(sockets_.descriptor()),
        greeter_(std::in_place, reactor_.context(), job_, limits.silence, time, listener,
                 static_cast<Arrivals&>(*this)) {
    sockets_.add(waker_.descriptor(), &waker_, EPOLLIN);
    sockets_.add(listener_, &listener_, EPOLLIN | EPOLLONESHOT);
  }

  ~TcpTransport() override { refuse_all(); }

  void attach(FrameHandler& handler) override { handler_ = &handler; }
  bool send(Pid to, OutgoingFrame& frame) override;
  bool poll(Pid expected) override;
  void wait(Nanoseconds limit) override;
  void wake() override;
  void sever(Pid peer) override;
  void reset(Pid peer) override;
  void close() override;
  Nanoseconds now() const override { return time_(); }
  Relocation* relocation() override { return this; }
  Batching* batching() override { return this; }
  Liveness* liveness() override { return this; }

 private:
  void replace(Pid to, OutgoingFrame& frame, OutgoingFrame& copy) override { link(to).connection.replace(frame, copy); }
  void redirect(Pid from, const Pieces& landing) override { link(from).connection.redirect(landing); }
  void hold_back(std::function<void()> begins) override { bursts_.allow(std::move(begins), links_.size()); }
  void flush() override;
  bool greet() override;
  std::vector<Pid> silent(Nanoseconds limit) override;

  void connected(Pid peer, tcp::socket socket) override { arrived_.emplace_back(peer, std::move(socket)); }
  void unreachable(Pid peer, const std::string& cause) override { failed_.emplace_back(peer, cause); }
  void await_strangers() override { sockets_.change(listener_, &listener_, EPOLLIN | EPOLLONESHOT); }

  Link& link(Pid pid) {
    std::unique_ptr<Link>& link = links_[static_cast<std::size_t>(pid)];
    if (!link) link = std::make_unique<Link>(pid, job_.shares_host(pid));
    return *link;
  }
  bool anything_noted() const { return !ready_.empty() || !arrived_.empty() || !failed_.empty(); }
  bool reactor_busy() const { return reactor_.anything_posted() || greeter_->busy(); }

  // By any thread.
  template <class Function>
  void post(Function function) {
    reactor_.post(std::move(function));
    wake();
  }
  bool act(Pid expected);
  bool read_directly(Link& link);
  void look();
  void note(std::span<const epoll_event> events);
  bool act_on_notes();
  bool open(Link& link, tcp::socket socket);
  bool read(Link& link);
  bool write(Link& link);
  bool hold_back(Link& link, const OutgoingFrame& frame);
  void settle(Link& link);
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
  std::vector<std::pair<Pid, tcp::socket>> arrived_;
  std::vector<std::pair<Pid, std::string>> failed_;
  unsigned polls_ = 0;
  Bursts bursts_;

  // The addresses of these are their keys in the set.
  int listener_;
  detail::Wakeup waker_;

  std::atomic<bool> woken_ = false;
  bool roused_ = false;  // the driver has seen it
  SocketSet sockets_;
  Reactor reactor_;
  std::optional<Greeter> greeter_;
};

bool TcpTransport::send(Pid to, OutgoingFrame& frame) {
  Link& link = this->link(to);
  if (link.state == Link::State::lost) return true;
  if (hold_back(link, frame)) return true;
  const bool first = link.state == Link::State::unconnected && !link.connection.queued();
  const bool was_failed = !link.connection.failure().empty();
  const bool left = link.connection.send(frame);
  if (bursts_.times_write()) bursts_.wrote(now());
  if (left) return true;
  if (first) {
    post([this, to] { greeter_->dial(to); });
  } else if (link.state == Link::State::open && !was_failed) {
    settle(link);
  }
  return false;
}

// Outside of poll(), which is the one to tell of a failure.
void TcpTransport::settle(Link& link) {
  if (link.connection.failure().empty()) {
    await_write(link, link.connection.queued());
  } else {
    post([this, &link] { ready_.push_back({&link, EPOLLERR}); });
  }
}

bool TcpTransport::hold_back(Link& link, const OutgoingFrame& frame) {
  if (link.state != Link::State::open || !bursts_.may_go_on(link.polls, frame.header)) return false;
  if (!bursts_.goes_on(now())) return false;
  const bool first = !link.connection.holds_back();
  if (!link.connection.hold_back(frame)) return false;
  if (first) bursts_.add(link);
  if (bursts_.late()) flush();
  return true;
}

// Of what the sockets don't take, the driver hears when they do.
void TcpTransport::flush() {
  for (Link* link : bursts_.take()) {
    const Connection& connection = link->connection;
    if (link->state != Link::State::open || !connection.holds_back() || !connection.failure().empty()) continue;
    link->connection.flush(*handler_);
    settle(*link);
  }
}

bool TcpTransport::poll(Pid expected) {
  const bool happened = act(expected);
  const bool idle = !happened && expected != in_passing;
  bursts_.polled(!idle);
  if (bursts_.any() && (idle || bursts_.late(now()))) flush();
  return happened;
}

bool TcpTransport::act(Pid expected) {
  Link* const awaited = expected < 0 ? nullptr : &link(expected);
  const bool direct = awaited != nullptr && awaited->state == Link::State::open;
  bool happened = false;
  if (anything_noted()) {
    happened = act_on_notes();
  } else if (direct) {
    happened = read_directly(*awaited);
  }
  if (direct && ++polls_ % polls_per_look != 0) return happened;
  sockets_.watch_all_but(awaited);
  look();
  return act_on_notes() || happened;
}

// A link that is open. One that waits to be written stays in the set.
bool TcpTransport::read_directly(Link& link) {
  const bool wrote = link.connection.queued() && write(link);
  if (link.state != Link::State::open || link.seen_to_be_empty() || !read(link)) return wrote;
  if (link.state == Link::State::open && !link.awaits_write) sockets_.was_read(link.descriptor, &link);
  return true;
}

bool TcpTransport::greet() {
  reactor_.poll();  // what was said since the last time, before newcomers take places
  greeter_->accept();
  reactor_.poll();
  return reactor_busy();
}

void TcpTransport::look() {
  note(sockets_.wait(Nanoseconds(0)));
  if (reactor_busy()) {
    reactor_.poll();
  } else {
    reactor_.rest();
  }
}

void TcpTransport::note(std::span<const epoll_event> events) {
  for (const epoll_event& event : events) {
    if (event.data.ptr == &waker_) {
      waker_.clear();
      woken_.store(false, std::memory_order_release);
      roused_ = true;
    } else if (event.data.ptr == &listener_) {
      greeter_->accept();
    } else {
      ready_.push_back({static_cast<Link*>(event.data.ptr), event.events});
    }
  }
}

bool TcpTransport::act_on_notes() {
  bool happened = !failed_.empty();
  for (auto& [peer, socket] : std::exchange(arrived_, {})) happened |= open(link(peer), std::move(socket));
  for (const auto& [peer, cause] : std::exchange(failed_, {})) {
    if (peer != job_.me) lose(link(peer), cause);
    if (peer == job_.me && !closing_) throw Error(ErrorCode::job, cause);
  }
  acting_.clear();
  std::swap(acting_, ready_);
  for (const auto& [link, events] : acting_) {
    if (link->state == Link::State::open && (events & EPOLLOUT) != 0) happened |= write(*link);
    if (link->state == Link::State::open && (events & ~EPOLLOUT) != 0) happened |= read(*link);
  }
  return happened;
}

bool TcpTransport::open(Link& link, tcp::socket socket) {
  if (link.state != Link::State::unconnected) return false;
  asio::error_code ignored;
  link.open(socket.release(ignored));
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
  link.close();  // no earlier: the other end tells of that, as if it were the cause
}

void TcpTransport::sever(Pid peer) {
  Link& link = this->link(peer);
  if (link.state == Link::State::lost) return;
  let_go(link);
  link.close();
}

void TcpTransport::let_go(Link& link) {
  link.state = Link::State::lost;
  link.connection.drop_queue();
  sockets_.forget(link.descriptor);
  greeter_->forget(link.pid);
}

// Closed so that the system sends a reset, and takes back what has not left.
void TcpTransport::reset(Pid peer) {
  Link& link = this->link(peer);
  const linger at_once{1, 0};
  if (link.state == Link::State::open) ::setsockopt(link.descriptor, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  lose(link, "connection reset");
}

std::vector<Pid> TcpTransport::silent(Nanoseconds limit) {
  std::vector<Pid> found = greeter_->silent(limit);
  for (const auto& link : links_) {
    if (link && link->state == Link::State::open && link->silence.lasts(link->descriptor, limit, now())) {
      found.push_back(link->pid);
    }
  }
  return found;
}

void TcpTransport::wait(Nanoseconds limit) {
  sockets_.watch_all_but(nullptr);
  const auto end = now() + limit;
  for (auto left = limit; !anything_noted() && !roused_ && left > Nanoseconds(0); left = end - now()) {
    if (!reactor_busy()) {
      note(sockets_.wait(left));
    } else if (reactor_.run(left)) {
      note(sockets_.wait(Nanoseconds(0)));
    }
  }
  roused_ = false;
}

void TcpTransport::wake() {
  if (woken_.exchange(true, std::memory_order_acq_rel)) return;
  waker_.set();
}

// The handler is not called any more. What comes is dropped, because closing a socket with unread data in it would
// make the system take back what was sent.
void TcpTransport::close() {
  closing_ = true;
  handler_ = &deaf_;
  flush();
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

// Whoever connects from now on is told at once that nobody is here.
void TcpTransport::refuse_all() {
  greeter_->stop();
  arrived_.clear();
  if (listener_ >= 0) detail::close_own(std::exchange(listener_, -1));
}

// Says to a peer that nothing follows, once its queue is empty. Returns whether the peer has said so too.
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
