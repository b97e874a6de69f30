// The transport over real sockets.
//
// Reading and writing happen straight on the sockets, in send() and poll(); Asio's reactor makes connections and says
// when a socket is ready. What the reactor finds while the driver sleeps in wait(), without the runtime's lock, is only
// noted down (ready_, arrived_, failed_) and acted upon in poll(). These notes are the driver's alone: a send() by
// another thread touches connections only, and asks the reactor, which may be called by any thread, to do the rest.
#include "runtime/transport/tcp/tcp_transport.hpp"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <asio/post.hpp>
#include <atomic>
#include <cerrno>
#include <optional>
#include <utility>

#include "cohort/error.hpp"
#include "runtime/transport/tcp/connection.hpp"
#include "runtime/transport/tcp/greeter.hpp"
#include "runtime/transport/tcp/slot_allocator.hpp"

namespace cohort {
namespace {

using asio::ip::tcp;

constexpr std::size_t staging_size = 16384;  // more is copied for longer, less costs more calls
constexpr unsigned polls_per_look = 32;      // at all sockets, while one is expected to speak
constexpr int events_per_poll = 64;
constexpr std::chrono::seconds close_patience{2};
constexpr std::chrono::hours longest_wait{1};

// All about one peer. Never moves, and lives as long as the transport.
struct Link {
  explicit Link(Pid peer) : pid(peer), connection(peer) {}

  enum class State : std::uint8_t { unconnected, open, lost };
  const Pid pid;
  State state = State::unconnected;
  Connection connection;
  std::optional<tcp::socket> socket;
  bool awaits_read = false;  // the reactor has been asked to tell
  bool awaits_write = false;
  bool finished = false;  // we have said that nothing follows
  HandlerSlot read_slot;
  HandlerSlot write_slot;
};

// A handler for the time of closing.
class Deaf final : public FrameHandler {
 public:
  bool frame_begins(Pid, const FrameHeader&, Pieces&) override { return false; }
  void frame_ends(Pid, const FrameHeader&) override {}
  void frame_sent(Pid, OutgoingFrame&) override {}
  void peer_lost(Pid, const std::string&) override {}
};

class TcpTransport final : public Transport, private Arrivals {
 public:
  TcpTransport(const Job& job, int listener)
      : job_(job),
        links_(job.processes.size()),
        staging_(staging_size),
        reactor_(1),
        watched_(reactor_),
        greeter_(std::in_place, reactor_, job_, listener, static_cast<Arrivals&>(*this)) {}

  ~TcpTransport() override {
    greeter_->stop();
    for (const auto& link : links_) {
      if (link) link->socket.reset();
    }
    arrived_.clear();
  }

  void attach(FrameHandler& handler) override { handler_ = &handler; }
  bool send(Pid to, OutgoingFrame& frame) override;
  bool poll(Pid expected) override;
  void wait(Nanoseconds limit) override;
  void wake() override;
  void sever(Pid peer) override;
  void watch(int descriptor) override;
  void close() override;
  Nanoseconds now() const override { return std::chrono::steady_clock::now().time_since_epoch(); }

 private:
  enum class Readiness : std::uint8_t { readable, writable, broken };

  // How the reactor tells that a socket is ready.
  struct Tell {
    using allocator_type = SlotAllocator<void>;
    allocator_type get_allocator() const {
      return allocator_type(readiness == Readiness::readable ? link->read_slot : link->write_slot);
    }
    void operator()(asio::error_code error) const {
      if (error != asio::error::operation_aborted) transport->ready_.emplace_back(link, readiness);
    }
    TcpTransport* transport;
    Link* link;
    Readiness readiness;
  };

  void connected(Pid peer, tcp::socket socket) override { arrived_.emplace_back(peer, std::move(socket)); }
  void unreachable(Pid peer, const std::string& cause) override { failed_.emplace_back(peer, cause); }

  Link& link(Pid pid) {
    std::unique_ptr<Link>& link = links_[static_cast<std::size_t>(pid)];
    if (!link) link = std::make_unique<Link>(pid);
    return *link;
  }
  bool anything_noted() const { return !ready_.empty() || !arrived_.empty() || !failed_.empty(); }

  void look(int limit);
  bool act_on_notes();
  bool read(Link& link);
  bool write(Link& link);
  void await_read(Link& link);
  void await_write(Link& link);
  void lose(Link& link, const std::string& cause);
  bool finish(Link& link);

  const Job job_;
  Deaf deaf_;
  FrameHandler* handler_ = &deaf_;
  bool closing_ = false;
  std::vector<std::unique_ptr<Link>> links_;  // by pid; made on first use
  std::vector<std::byte> staging_;
  std::vector<std::pair<Link*, Readiness>> ready_;
  std::vector<std::pair<Link*, Readiness>> acting_;
  std::vector<std::pair<Pid, tcp::socket>> arrived_;
  std::vector<std::pair<Pid, std::string>> failed_;
  std::atomic<bool> woken_ = false;
  unsigned polls_ = 0;
  bool awaits_watched_ = false;
  bool watched_ready_ = false;

  // Destroyed before the links: operations that the reactor never finished keep their memory in them.
  asio::io_context reactor_;
  asio::posix::stream_descriptor watched_;  // an epoll set of the watched descriptors, which stay untouched by Asio
  std::optional<Greeter> greeter_;
};

bool TcpTransport::send(Pid to, OutgoingFrame& frame) {
  Link& link = this->link(to);
  if (link.state == Link::State::lost) return true;
  const bool first = link.state == Link::State::unconnected && !link.connection.queued();
  const bool was_failed = !link.connection.failure().empty();
  if (link.connection.send(frame)) return true;
  if (first) {
    asio::post(reactor_, [this, to] { greeter_->dial(to); });
  } else if (link.state == Link::State::open) {
    if (link.connection.failure().empty()) {
      await_write(link);
    } else if (!was_failed) {
      asio::post(reactor_, [this, &link] { ready_.emplace_back(&link, Readiness::broken); });
    }
  }
  return false;
}

bool TcpTransport::poll(Pid expected) {
  bool happened = false;
  bool look_at_all = ++polls_ % polls_per_look == 0;
  if (expected >= 0) {
    Link& link = this->link(expected);
    if (link.state == Link::State::open) {
      if (link.connection.queued()) happened |= write(link);
      happened |= read(link);
    } else {
      look_at_all = true;
    }
  } else {
    look_at_all = true;
  }
  if (look_at_all) look(events_per_poll);
  if (anything_noted()) happened |= act_on_notes();
  return happened;
}

// Lets the reactor note what is ready now.
void TcpTransport::look(int limit) {
  while (limit > 0 && reactor_.poll_one() > 0) --limit;
}

bool TcpTransport::act_on_notes() {
  bool happened = false;
  for (auto& [peer, socket] : std::exchange(arrived_, {})) {
    Link& link = this->link(peer);
    if (link.state != Link::State::unconnected) continue;
    link.state = Link::State::open;
    link.connection.start(socket.native_handle());
    link.socket.emplace(std::move(socket));
    happened = true;
    write(link);
    if (link.state == Link::State::open) read(link);
  }
  for (const auto& [peer, cause] : std::exchange(failed_, {})) {
    lose(link(peer), cause);
    happened = true;
  }
  acting_.clear();
  std::swap(acting_, ready_);
  for (const auto& [link, readiness] : acting_) {
    if (readiness == Readiness::readable) link->awaits_read = false;
    if (readiness == Readiness::writable) link->awaits_write = false;
    if (link->state != Link::State::open) continue;
    happened |= readiness == Readiness::writable ? write(*link) : read(*link);
  }
  return happened;
}

bool TcpTransport::read(Link& link) {
  const bool happened = closing_ ? link.connection.discard(staging_) : link.connection.receive(*handler_, staging_);
  if (link.connection.ended()) {
    lose(link, link.connection.failure());
    return true;
  }
  await_read(link);
  return happened;
}

bool TcpTransport::write(Link& link) {
  const bool happened = link.connection.flush(*handler_);
  if (!link.connection.failure().empty()) return read(link) || happened;
  if (link.connection.queued()) await_write(link);
  return happened;
}

// Asking again makes the reactor look anew, so that nothing that came in the meantime is missed.
void TcpTransport::await_read(Link& link) {
  if (link.awaits_read) return;
  link.awaits_read = true;
  link.socket->async_wait(tcp::socket::wait_read, Tell{this, &link, Readiness::readable});
}

void TcpTransport::await_write(Link& link) {
  if (link.awaits_write) return;
  link.awaits_write = true;
  link.socket->async_wait(tcp::socket::wait_write, Tell{this, &link, Readiness::writable});
}

void TcpTransport::lose(Link& link, const std::string& cause) {
  if (link.state == Link::State::lost) return;
  sever(link.pid);
  handler_->peer_lost(link.pid, cause);
}

void TcpTransport::sever(Pid peer) {
  Link& link = this->link(peer);
  if (link.state == Link::State::lost) return;
  link.state = Link::State::lost;
  link.connection.drop_queue();
  link.socket.reset();
  greeter_->forget(peer);
}

void TcpTransport::wait(Nanoseconds limit) {
  const auto end = std::chrono::steady_clock::now() + std::min<Nanoseconds>(limit, longest_wait);
  if (watched_.is_open() && !awaits_watched_) {
    awaits_watched_ = true;
    watched_.async_wait(asio::posix::stream_descriptor::wait_read, [this](asio::error_code error) {
      if (error) return;
      awaits_watched_ = false;
      watched_ready_ = true;
    });
  }
  while (!anything_noted() && !watched_ready_ && !woken_.load(std::memory_order_acquire)) {
    const auto left = end - std::chrono::steady_clock::now();
    if (left <= Nanoseconds(0)) break;
    reactor_.run_one_for(left);
  }
  watched_ready_ = false;
  woken_.store(false, std::memory_order_release);
}

void TcpTransport::wake() {
  if (!woken_.exchange(true, std::memory_order_acq_rel)) asio::post(reactor_, [] {});
}

void TcpTransport::watch(int descriptor) {
  if (!watched_.is_open()) {
    const int set = ::epoll_create1(EPOLL_CLOEXEC);
    if (set < 0)
      throw Error(ErrorCode::internal, "cannot watch a descriptor: " + std::system_category().message(errno));
    watched_.assign(set);
  }
  epoll_event event{};
  event.events = EPOLLIN;
  if (::epoll_ctl(watched_.native_handle(), EPOLL_CTL_ADD, descriptor, &event) != 0 && errno != EEXIST) {
    throw Error(ErrorCode::internal, "cannot watch a descriptor: " + std::system_category().message(errno));
  }
}

// The handler is not called any more. What comes is dropped, because closing a socket with unread data in it would
// make the system take back what was sent.
void TcpTransport::close() {
  closing_ = true;
  handler_ = &deaf_;
  const auto end = std::chrono::steady_clock::now() + close_patience;
  for (auto left = Nanoseconds(close_patience); left > Nanoseconds(0); left = end - std::chrono::steady_clock::now()) {
    act_on_notes();
    bool finished = true;
    for (const auto& link : links_) finished &= !link || finish(*link);
    if (finished) break;
    reactor_.run_one_for(left);
  }
  greeter_->stop();
  for (const auto& link : links_) {
    if (link) link->state = Link::State::lost;
    if (link) link->socket.reset();
  }
}

// Says to a peer that nothing follows, once its queue is empty. Returns whether the peer has said so too.
bool TcpTransport::finish(Link& link) {
  if (link.state == Link::State::unconnected) return !link.connection.queued();
  if (link.state == Link::State::open && !link.connection.queued() && !link.finished) {
    link.finished = true;
    asio::error_code ignored;
    link.socket->shutdown(tcp::socket::shutdown_send, ignored);
  }
  return link.state == Link::State::lost;
}

}  // namespace

std::unique_ptr<Transport> make_tcp_transport(const Job& job, TcpListener listener) {
  return std::make_unique<TcpTransport>(job, std::exchange(listener.descriptor_, -1));
}

}  // namespace cohort
