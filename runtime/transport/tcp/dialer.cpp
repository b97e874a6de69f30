// The dialer's side of making a connection. An attempt that fails is repeated, at growing intervals and with a bound:
// whoever was not reached for as long as an end of a link may be silent is given up.
// A process that is stopped, or computes, lets its system accept and answers later: for that there is no bound here,
// because who is dead is for the launcher to say.
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/read.hpp>
#include <asio/redirect_error.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/write.hpp>
#include <cerrno>
#include <system_error>

#include "runtime/transport/tcp/greeter.hpp"
#include "runtime/transport/tcp/pacing.hpp"

namespace cohort {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr seconds dial_patience{10};    // where there is no --host-limit
constexpr seconds refused_patience{2};  // the listener is open as long as the process lives
constexpr int least_attempts = 20;
constexpr milliseconds slow_attempt{1500};  // an acceptor gives up after 2 s with us: then we compute, and it lives
constexpr milliseconds first_pause{10};
constexpr milliseconds longest_pause{500};

std::chrono::nanoseconds patience(const Job& job) {
  const std::chrono::nanoseconds limit = job.silence_limit();
  return limit > limit.zero() ? limit : dial_patience;
}

bool is_shortage(const asio::error_code& error) {
  return error == asio::error::no_descriptors || error == std::errc::too_many_files_open_in_system ||
         error == asio::error::no_buffer_space || error == asio::error::no_memory;
}

}  // namespace

void Greeter::dial(Pid to) {
  if (standing(to) != Standing::unknown) return;
  if (std::any_of(dials_.begin(), dials_.end(), [&](const auto& dial) { return dial->to == to; })) return;
  const auto dial = std::make_shared<Dial>(Dial{to, Socket(reactor_), asio::steady_timer(reactor_)});
  dial->active = true;
  dials_.push_back(dial);
  asio::co_spawn(reactor_, pursue(dial), asio::detached);
}

asio::awaitable<void> Greeter::pursue(std::shared_ptr<Dial> dial) {
  for (milliseconds pause = first_pause;; pause = std::min(2 * pause, longest_pause)) {
    dial->active = true;
    const auto attempt_start = steady_clock::now();
    std::string cause;
    Outcome outcome = Outcome::failed;
    try {
      outcome = co_await attempt(dial, cause);
    } catch (const asio::system_error& error) {
      cause = error.code().message();
      if (error.code() == asio::error::connection_refused) outcome = Outcome::refused;
      if (error.code() == asio::error::eof) cause = "it broke the greeting off";
      if (is_shortage(error.code())) outcome = Outcome::exhausted;
    } catch (const std::exception& error) {
      cause = error.what();
    }
    if (dial->cancelled) co_return;
    dial->active = false;
    if (outcome == Outcome::accepted) {
      standing(dial->to) = Standing::met;
      dials_.remove(dial);
      arrivals_.connected(dial->to, std::move(dial->socket));
      co_return;
    }
    asio::error_code ignored;
    dial->socket.close(ignored);
    const auto now = steady_clock::now();
    if (dial->reached) dial->unreached_since = now;
    if (now - attempt_start < slow_attempt) ++dial->attempts;
    if (spent(*dial, outcome, now)) {
      standing(dial->to) = Standing::gone;
      dials_.remove(dial);
      cause = "cannot connect to " + where(dial->to) + ": " + cause + " (for " +
              std::to_string(duration_cast<std::chrono::seconds>(now - dial->start).count()) + " s)";
      arrivals_.unreachable(outcome == Outcome::exhausted ? job_.me : dial->to, cause);
      co_return;
    }
    dial->timer.expires_after(outcome == Outcome::duplicate ? longest_pause : pause);
    co_await dial->timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    if (dial->cancelled) co_return;
    const auto woken = steady_clock::now();  // late: this process was stopped, and has not tried meanwhile
    if (woken - dial->timer.expiry() > slow_attempt) dial->unreached_since = woken;
  }
}

bool Greeter::spent(const Dial& dial, Outcome outcome, steady_clock::time_point now) const {
  if (outcome == Outcome::refused) return now - dial.start >= refused_patience;
  if (!dial.reached) return now - dial.unreached_since >= patience(job_);
  return now - dial.start >= patience(job_) && dial.attempts >= least_attempts;
}

// Connects and plays the dialer's side of the handshake.
asio::awaitable<Greeter::Outcome> Greeter::attempt(std::shared_ptr<Dial> dial, std::string& cause) {
  co_await connect(dial);
  const handshake::Hello hello = handshake::make_hello(job_, dial->to, handshake::fresh_nonce());
  co_await asio::async_write(dial->socket, asio::buffer(hello), asio::use_awaitable);
  handshake::Challenge challenge;
  co_await asio::async_read(dial->socket, asio::buffer(challenge), asio::use_awaitable);
  cause = handshake::check_challenge(job_, dial->to, challenge);
  if (!cause.empty()) co_return Outcome::failed;

  const handshake::Proof proof = handshake::make_proof(job_, hello, challenge);
  co_await asio::async_write(dial->socket, asio::buffer(proof), asio::use_awaitable);
  handshake::Answer answer;
  co_await asio::async_read(dial->socket, asio::buffer(answer), asio::use_awaitable);
  const std::optional<handshake::Verdict> verdict = handshake::check_answer(job_, hello, challenge, answer);
  if (!verdict) {
    cause = "what answers does not have the job's secret";
    co_return Outcome::failed;
  }
  if (*verdict == handshake::Verdict::duplicate) {
    cause = "it says that another connection has been made";
    co_return Outcome::duplicate;
  }
  co_return Outcome::accepted;
}

asio::awaitable<void> Greeter::connect(std::shared_ptr<Dial> dial) {
  dial->reached = false;
  const ProcessAddress& address = job_.address(dial->to);
  const asio::ip::tcp::endpoint endpoint(asio::ip::make_address(address.ip), address.port);
  const int descriptor = ::socket(endpoint.protocol().family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) throw asio::system_error(asio::error_code(errno, asio::system_category()), "socket");
  if (!adopt(dial->socket, endpoint.protocol(), descriptor)) {
    throw asio::system_error(asio::error_code(asio::error::no_memory), "socket");
  }
  if (job_.shares_host(dial->to)) do_not_pace(descriptor);
  prepare_socket(descriptor, job_.silence_limit());
  dial->silence = {};

  dial->connecting = true;
  dial->timer.expires_at(dial->unreached_since + patience(job_));
  dial->timer.async_wait([dial](asio::error_code stopped) {
    if (stopped || !dial->connecting) return;
    asio::error_code ignored;
    dial->socket.close(ignored);
  });
  asio::error_code error;
  co_await dial->socket.async_connect(endpoint, asio::redirect_error(asio::use_awaitable, error));
  dial->connecting = false;
  dial->timer.cancel();
  if (error == asio::error::operation_aborted && !dial->cancelled) error = dial->obstacle;
  dial->reached = !error;
  if (!error) co_return;
  dial->obstacle = error;
  throw asio::system_error(error);
}

std::vector<Pid> Greeter::silent(std::chrono::nanoseconds limit) {
  std::vector<Pid> found;
  for (const auto& dial : dials_) {
    const bool greets = dial->active && !dial->connecting && dial->socket.is_open();
    if (greets && dial->silence.lasts(dial->socket.native_handle(), limit)) found.push_back(dial->to);
  }
  return found;
}

void Greeter::cancel_dial(Pid to) {
  const auto found = std::find_if(dials_.begin(), dials_.end(), [&](const auto& dial) { return dial->to == to; });
  if (found == dials_.end()) return;
  const std::shared_ptr<Dial> dial = *found;
  dials_.erase(found);
  dial->cancelled = true;
  dial->timer.cancel();
  asio::error_code ignored;
  dial->socket.close(ignored);
}

std::string Greeter::where(Pid to) const {
  const ProcessAddress& address = job_.address(to);
  return address.ip + " port " + std::to_string(address.port) + " (" + address.host + ")";
}

}  // namespace cohort
