#include "runtime/transport/tcp/greeter.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/read.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/write.hpp>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "runtime/frequent_tries.hpp"
#include "runtime/transport/tcp/pacing.hpp"

namespace cohort {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds stranger_patience{2};  // for the whole greeting
constexpr milliseconds look_interval{50};
constexpr milliseconds longest_look{100};  // the watcher of a process that computes looks so often
constexpr milliseconds accept_pause{50};
constexpr std::size_t spare_strangers = 64;  // that may be half-open at once, beside one for each process

}  // namespace

void prepare_socket(int descriptor, Nanoseconds silence_limit) {
  const int yes = 1;
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);  // without it, it works, only less well
  try_often(descriptor, silence_limit);
}

bool adopt(asio::ip::tcp::socket& socket, const asio::ip::tcp& protocol, int descriptor) {
  asio::error_code error;
  socket.assign(protocol, descriptor, error);
  if (error) ::close(descriptor);
  return !error;
}

Greeter::Greeter(asio::io_context& reactor, const Endpoints& job, Nanoseconds silence_limit, TimeSource time,
                 int listener, Arrivals& arrivals)
    : reactor_(reactor),
      job_(job),
      silence_limit_(silence_limit),
      time_(time),
      arrivals_(arrivals),
      listener_(listener),
      pause_(reactor),
      attended_(longest_look),
      next_look_(reactor),
      standing_(job.processes.size()) {}

// In one turn no more than can be half-open, so that all of them are listened to before the next ones take their place.
void Greeter::accept() {
  if (paused_) return;
  for (std::size_t i = 0; i < most_strangers(); ++i) {
    if (accept_one()) continue;
    if (errno == EAGAIN || errno == EWOULDBLOCK) break;
    if (errno == ECONNABORTED || errno == EINTR) continue;
    // Out of descriptors or memory: those who knock wait in the listener's queue meanwhile.
    paused_ = true;
    pause_.expires_after(accept_pause);
    pause_.async_wait([this](asio::error_code stopped) {
      if (stopped) return;
      paused_ = false;
      arrivals_.await_strangers();
    });
    return;
  }
  arrivals_.await_strangers();
}

std::size_t Greeter::most_strangers() const { return job_.processes.size() + spare_strangers; }

// Returns false, and errno says why, if it did not get one. By hand, because Asio's sockets would be inherited by the
// programs that a user's process starts.
bool Greeter::accept_one() {
  asio::ip::tcp::endpoint from;
  auto size = static_cast<socklen_t>(from.capacity());
  const int descriptor = ::accept4(listener_, from.data(), &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (descriptor < 0) return false;
  from.resize(size);
  Socket socket(reactor_);
  if (!adopt(socket, from.protocol(), descriptor)) return true;
  prepare_socket(descriptor, silence_limit_);
  if (strangers_.size() >= most_strangers()) make_room();
  const auto stranger =
      std::make_shared<Stranger>(Stranger{std::move(socket), from.address().to_string(), attended_.now()});
  strangers_.push_back(stranger);
  attend();
  asio::co_spawn(reactor_, greet(stranger), asio::detached);
  return true;
}

// The oldest gives way, unless it has shown who it is.
void Greeter::make_room() {
  const auto oldest = std::ranges::find_if(strangers_, [](const auto& one) { return !one->known; });
  if (oldest == strangers_.end()) return;
  drop(**oldest, "too many connect at once and do not say who they are");
  strangers_.erase(oldest);
}

// The only way in which a limit closes a stranger's socket.
void Greeter::drop(Stranger& stranger, std::string fate) {
  stranger.fate = std::move(fate);
  asio::error_code ignored;
  stranger.socket.close(ignored);
}

void Greeter::drop_late_strangers() {
  for (const auto& stranger : strangers_) {
    if (attended_.now() - stranger->since < stranger_patience) return;  // the others came later
    if (!stranger->known && stranger->fate.empty()) drop(*stranger, "it did not say who it is within 2 s");
  }
}

// While connections are being made, the time in which this process sees to them passes.
void Greeter::attend() {
  if (strangers_.size() + dials_.size() == 1) attended_.begin(AttendedTime::RealTime(time_()));
  if (!std::exchange(attends_, true)) keep_looking();
}

void Greeter::keep_looking() {
  next_look_.expires_after(look_interval);
  next_look_.async_wait([this](asio::error_code stopped) {
    if (stopped) return;
    attended_.look(AttendedTime::RealTime(time_()));
    drop_late_strangers();
    drop_late_dials();
    attends_ = !strangers_.empty() || !dials_.empty();
    if (attends_) keep_looking();
  });
}

asio::awaitable<void> Greeter::greet(std::shared_ptr<Stranger> stranger) {
  Pid from = -1;
  std::string complaint;
  try {
    complaint = co_await converse(*stranger, from);
  } catch (const asio::system_error&) {
    complaint = stranger->fate;  // empty if it broke off by itself: a process that gave its dial up
  } catch (const std::exception& error) {
    complaint = error.what();
  }
  strangers_.remove(stranger);
  if (from >= 0) {
    if (!job_.shares_host(from)) pace_as_usual(stranger->socket.native_handle());
    arrivals_.connected(from, std::move(stranger->socket));
    co_return;
  }
  asio::error_code ignored;
  stranger->socket.close(ignored);
  if (!stranger->fate.empty()) {
    if (stranger->claims >= 0) dial(stranger->claims, /*needed=*/false);  // there it has all the time it needs
    if (may_be_a_member(*stranger)) co_return;
  }
  if (!complaint.empty()) complain(stranger->ip, complaint);
}

// The acceptor's side of the handshake. `from` is set once the peer is known and accepted: then, whatever happens to
// the answer, this is its connection. Returns what was wrong.
asio::awaitable<std::string> Greeter::converse(Stranger& stranger, Pid& from) {
  // What it said may have been read before its socket was closed, and be heard only now.
  const auto unless_dropped = [&] {
    if (!stranger.fate.empty()) throw asio::system_error(asio::error::operation_aborted);
  };
  handshake::Hello hello;
  co_await asio::async_read(stranger.socket, asio::buffer(hello), asio::use_awaitable);
  unless_dropped();
  const handshake::Caller caller = handshake::check_hello(job_, hello);
  if (caller.pid < 0) co_return caller.complaint;

  stranger.claims = caller.pid;
  const handshake::Challenge challenge = handshake::make_challenge(job_, handshake::fresh_nonce());
  co_await asio::async_write(stranger.socket, asio::buffer(challenge), asio::use_awaitable);
  handshake::Proof proof;
  co_await asio::async_read(stranger.socket, asio::buffer(proof), asio::use_awaitable);
  unless_dropped();
  if (!handshake::check_proof(job_, hello, challenge, proof)) {
    co_return "it says that it is pid " + std::to_string(caller.pid) + " and does not have the job's secret";
  }

  stranger.known = true;  // from here on no limit closes its socket
  const handshake::Verdict verdict = judge(caller.pid);
  if (verdict == handshake::Verdict::accepted) from = caller.pid;
  const handshake::Answer answer = handshake::make_answer(job_, hello, challenge, verdict);
  co_await asio::async_write(stranger.socket, asio::buffer(answer), asio::use_awaitable);
  co_return std::string();
}

handshake::Verdict Greeter::judge(Pid from) {
  if (standing(from) != Standing::unknown) return handshake::Verdict::duplicate;
  const bool dialing =
      std::any_of(dials_.begin(), dials_.end(), [&](const auto& dial) { return dial->to == from && dial->active; });
  if (dialing && job_.me < from) return handshake::Verdict::duplicate;
  cancel_dial(from);
  standing(from) = Standing::met;
  return handshake::Verdict::accepted;
}

// One that a limit has closed. A member that was too slow dials again: nobody needs to be told.
bool Greeter::may_be_a_member(const Stranger& stranger) const {
  if (stranger.claims >= 0) return true;
  for (Pid pid = 0; pid < job_.ranks(); ++pid) {
    const bool unmet = pid != job_.me && standing_[static_cast<std::size_t>(pid)] == Standing::unknown;
    if (unmet && job_.address(pid).ip == stranger.ip) return true;
  }
  return false;
}

void Greeter::complain(const std::string& ip, const std::string& complaint) {
  const Nanoseconds now = time_();
  if (last_complaint_ != Nanoseconds(0) && now - last_complaint_ < std::chrono::seconds(1)) return;
  last_complaint_ = now;
  std::fprintf(stderr, "cohort: refused a connection from %s: %s\n", ip.c_str(), complaint.c_str());
}

void Greeter::forget(Pid peer) {
  cancel_dial(peer);
  standing(peer) = Standing::gone;
}

void Greeter::stop() {
  asio::error_code ignored;
  pause_.cancel();
  next_look_.cancel();
  for (const auto& stranger : strangers_) stranger->socket.close(ignored);
  strangers_.clear();
  while (!dials_.empty()) cancel_dial(dials_.front()->to);
}

}  // namespace cohort
