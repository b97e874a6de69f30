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

#include "runtime/frequent_tries.hpp"
#include "runtime/transport/tcp/pacing.hpp"

namespace cohort {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr seconds stranger_patience{2};  // for the whole greeting
constexpr milliseconds inattention{200};
constexpr milliseconds accept_pause{50};
constexpr std::size_t spare_strangers = 64;  // that may be half-open at once, beside one for each process

}  // namespace

void prepare_socket(int descriptor, std::chrono::nanoseconds silence_limit) {
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

Greeter::Greeter(asio::io_context& reactor, const Job& job, int listener, Arrivals& arrivals)
    : reactor_(reactor),
      job_(job),
      arrivals_(arrivals),
      listener_(listener),
      pause_(reactor),
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
  prepare_socket(descriptor, job_.silence_limit());
  if (strangers_.size() >= most_strangers()) {
    Stranger& oldest = *strangers_.front();
    oldest.fate = "too many connect at once and do not say who they are";
    asio::error_code ignored;
    oldest.socket.close(ignored);
    strangers_.pop_front();
  }
  const auto stranger =
      std::make_shared<Stranger>(Stranger{std::move(socket), asio::steady_timer(reactor_), from.address().to_string()});
  strangers_.push_back(stranger);
  limit_patience(stranger);
  asio::co_spawn(reactor_, greet(stranger), asio::detached);
  return true;
}

void Greeter::limit_patience(const std::shared_ptr<Stranger>& stranger) {
  stranger->patience.expires_after(stranger_patience);
  stranger->patience.async_wait([this, stranger](asio::error_code stopped) {
    if (stopped || stranger->known) return;
    // A process that computes for long finds the limit passed and the stranger's words unread.
    if (!stranger->excused && steady_clock::now() > stranger->patience.expiry() + inattention) {
      stranger->excused = true;
      limit_patience(stranger);
      return;
    }
    stranger->fate = "it did not say who it is within 2 s";
    asio::error_code ignored;
    stranger->socket.close(ignored);
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
  stranger->patience.cancel();
  strangers_.remove(stranger);
  if (from >= 0) {
    if (!job_.shares_host(from)) pace_as_usual(stranger->socket.native_handle());
    arrivals_.connected(from, std::move(stranger->socket));
  } else {
    asio::error_code ignored;
    stranger->socket.close(ignored);
    if (!complaint.empty()) complain(stranger->ip, complaint);
  }
}

// The acceptor's side of the handshake. `from` is set once the peer is known and accepted: then, whatever happens to
// the answer, this is its connection. Returns what was wrong.
asio::awaitable<std::string> Greeter::converse(Stranger& stranger, Pid& from) {
  handshake::Hello hello;
  co_await asio::async_read(stranger.socket, asio::buffer(hello), asio::use_awaitable);
  const handshake::Caller caller = handshake::check_hello(job_, hello);
  if (caller.pid < 0) co_return caller.complaint;

  const handshake::Challenge challenge = handshake::make_challenge(job_, handshake::fresh_nonce());
  co_await asio::async_write(stranger.socket, asio::buffer(challenge), asio::use_awaitable);
  handshake::Proof proof;
  co_await asio::async_read(stranger.socket, asio::buffer(proof), asio::use_awaitable);
  if (!handshake::check_proof(job_, hello, challenge, proof)) {
    co_return "it says that it is pid " + std::to_string(caller.pid) + " and does not have the job's secret";
  }

  stranger.known = true;
  stranger.patience.cancel();
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

void Greeter::complain(const std::string& ip, const std::string& complaint) {
  const auto now = steady_clock::now();
  if (last_complaint_ != steady_clock::time_point() && now - last_complaint_ < std::chrono::seconds(1)) return;
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
  for (const auto& stranger : strangers_) {
    stranger->patience.cancel();
    stranger->socket.close(ignored);
  }
  strangers_.clear();
  while (!dials_.empty()) cancel_dial(dials_.front()->to);
}

}  // namespace cohort
