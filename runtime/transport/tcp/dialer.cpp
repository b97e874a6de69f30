// The dialer's side of making a connection. An attempt that fails is repeated, at growing intervals and with a bound:
// whoever was not reached for as long as an end of a link may be silent is given up.
// A process that is stopped, or computes, lets its system accept and answers later: for that there is no bound here,
// because who is dead is for the launcher to say. Nor is there one for an acceptor that says "duplicate": its own dial
// goes on, or it has lost this process and told the launcher.
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

constexpr seconds dial_patience{10};    // where there is no --host-limit
constexpr seconds refused_patience{2};  // the listener is open as long as the process lives
constexpr int least_attempts = 20;
constexpr milliseconds slow_attempt{1500};  // an acceptor gives up after 2 s with us: then we are slow, and it lives
constexpr milliseconds first_pause{10};
constexpr milliseconds longest_pause{500};

Nanoseconds patience(Nanoseconds silence_limit) {
  return silence_limit > Nanoseconds(0) ? silence_limit : dial_patience;
}

bool is_shortage(const asio::error_code& error) {
  return error == asio::error::no_descriptors || error == std::errc::too_many_files_open_in_system ||
         error == asio::error::no_buffer_space || error == asio::error::no_memory;
}

}  // namespace

void Greeter::dial(Pid to, bool needed) {
  if (standing(to) != Standing::unknown) return;
  const auto found = std::ranges::find_if(dials_, [&](const auto& dial) { return dial->to == to; });
  if (found != dials_.end()) {
    (*found)->needed |= needed;
    return;
  }
  const auto dial = std::make_shared<Dial>(
      Dial{to, Socket(reactor_), asio::steady_timer(reactor_), attended_.now(), attended_.now(), needed});
  dial->active = true;
  dials_.push_back(dial);
  attend();
  asio::co_spawn(reactor_, pursue(dial), asio::detached);
}

asio::awaitable<void> Greeter::pursue(std::shared_ptr<Dial> dial) {
  for (milliseconds pause = first_pause;; pause = std::min(2 * pause, longest_pause)) {
    dial->active = true;
    const auto attempt_start = time_();
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
    if (dial->reached) dial->unreached_since = attended_.now();
    const bool broken_off = outcome != Outcome::duplicate && time_() - attempt_start < slow_attempt;
    if (broken_off) ++dial->attempts;
    if (spent(*dial, outcome)) {
      give_up(*dial, outcome, cause);
      dials_.remove(dial);
      co_return;
    }
    dial->pause.expires_after(outcome == Outcome::duplicate ? longest_pause : pause);
    co_await dial->pause.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    if (dial->cancelled) co_return;
  }
}

bool Greeter::spent(const Dial& dial, Outcome outcome) const {
  const AttendedTime::Duration lasted = attended_.now() - dial.start;
  if (outcome == Outcome::duplicate) return false;
  if (outcome == Outcome::refused) return lasted >= refused_patience;
  if (!dial.reached) return attended_.now() - dial.unreached_since >= patience(silence_limit_);
  return lasted >= patience(silence_limit_) && dial.attempts >= least_attempts;
}

// A peer that this process only called back may be reached later, when it is needed, or dial again itself.
void Greeter::give_up(Dial& dial, Outcome outcome, const std::string& cause) {
  if (!dial.needed) return;
  standing(dial.to) = Standing::gone;
  const auto lasted = duration_cast<std::chrono::seconds>(attended_.now() - dial.start);
  arrivals_.unreachable(
      outcome == Outcome::exhausted ? job_.me : dial.to,
      "cannot connect to " + where(dial.to) + ": " + cause + " (for " + std::to_string(lasted.count()) + " s)");
}

// Those whose system has not been reached for too long.
void Greeter::drop_late_dials() {
  for (const auto& dial : dials_) {
    if (!dial->connecting || attended_.now() - dial->unreached_since < patience(silence_limit_)) continue;
    dial->too_late = true;
    asio::error_code ignored;
    dial->socket.close(ignored);
  }
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
  prepare_socket(descriptor, silence_limit_);
  dial->silence = {};

  dial->connecting = true;
  dial->too_late = false;
  asio::error_code error;
  co_await dial->socket.async_connect(endpoint, asio::redirect_error(asio::use_awaitable, error));
  dial->connecting = false;
  // It may have connected before its socket was closed, and be heard only now.
  if (dial->too_late) error = dial->obstacle;
  dial->reached = !error;
  if (!error) co_return;
  dial->obstacle = error;
  throw asio::system_error(error);
}

std::vector<Pid> Greeter::silent(Nanoseconds limit) {
  std::vector<Pid> found;
  for (const auto& dial : dials_) {
    const bool greets = dial->active && !dial->connecting && dial->socket.is_open();
    if (greets && dial->silence.lasts(dial->socket.native_handle(), limit, time_())) found.push_back(dial->to);
  }
  return found;
}

void Greeter::cancel_dial(Pid to) {
  const auto found = std::find_if(dials_.begin(), dials_.end(), [&](const auto& dial) { return dial->to == to; });
  if (found == dials_.end()) return;
  const std::shared_ptr<Dial> dial = *found;
  dials_.erase(found);
  dial->cancelled = true;
  dial->pause.cancel();
  asio::error_code ignored;
  dial->socket.close(ignored);
}

std::string Greeter::where(Pid to) const {
  const ProcessAddress& address = job_.address(to);
  return address.ip + " port " + std::to_string(address.port) + " (" + address.host + ")";
}

}  // namespace cohort
