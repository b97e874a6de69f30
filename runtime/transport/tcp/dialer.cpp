// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/tcp/dialer.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "runtime/transport/tcp/pacing.hpp"
#include "runtime/transport/tcp/socket_address.hpp"

namespace cohort {
namespace {

using Outcome = Redial::Outcome;

Outcome outcome_of(int error) {
  if (error == ECONNREFUSED) return Outcome::refused;
  const bool shortage = error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
  return shortage ? Outcome::exhausted : Outcome::failed;
}

}  // namespace

void Dialer::dial(Pid to, bool needed, Time now) {
  const auto found = std::ranges::find(dials_, to, &Dial::to);
  if (found != dials_.end()) {
    found->needed |= needed;
    return;
  }
  attempt(dials_.emplace_back(to, needed, Redial(silence_limit_, now)), now);
}

void Dialer::attempt(Dial& dial, Time now) {
  dial.redial.begin_again(now);
  if (const int error = connect(dial)) return end(dial, error, now);
  set_.add(dial.socket.descriptor(), &dial, EPOLLOUT);
}

// Begins to connect. Returns 0, or errno if that fails.
int Dialer::connect(Dial& dial) {
  const ProcessAddress& process = endpoints_.address(dial.to);
  const std::optional<SocketAddress> address = SocketAddress::parse(process.ip, process.port);
  if (!address) return EADDRNOTAVAIL;
  const int descriptor = ::socket(address->family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return errno;
  dial.socket.open(descriptor);
  dial.silence = {};
  if (endpoints_.shares_host(dial.to)) do_not_pace(descriptor);
  prepare_socket(descriptor, silence_limit_);
  const bool begun = ::connect(descriptor, address->data(), address->size()) == 0 || errno == EINPROGRESS;
  return begun || errno == EINTR ? 0 : dial.obstacle = errno;
}

void Dialer::hear(Time now) {
  for (bool more = true; more;) {
    const auto events = set_.wait(Nanoseconds(0));
    more = events.size() == SocketSet::most_at_once;
    for (const epoll_event& event : events) {
      Dial& dial = *static_cast<Dial*>(event.data.ptr);
      if (dial.redial.phase() == Redial::Phase::connecting) {
        connected(dial, now);
      } else if (dial.side) {
        greet(dial, now);
      }
    }
  }
  sweep();
}

// The attempt to connect has succeeded or failed.
void Dialer::connected(Dial& dial, Time now) {
  int error = 0;
  socklen_t size = sizeof error;
  if (::getsockopt(dial.socket.descriptor(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
  if (error != 0) return end(dial, dial.obstacle = error, now);
  dial.redial.reached();
  try {
    dial.side.emplace(endpoints_, dial.to, handshake::fresh_nonce());
  } catch (const std::exception& wrong) {
    return end(dial, Outcome::failed, wrong.what(), now);
  }
  dial.socket.send(dial.side->hello());
  set_.change(dial.socket.descriptor(), &dial, dial.socket.holds_unsent() ? EPOLLIN | EPOLLOUT : EPOLLIN);
}

void Dialer::greet(Dial& dial, Time now) {
  using State = handshake::DialerSide::State;
  handshake::DialerSide& side = *dial.side;
  const bool waited = dial.socket.holds_unsent();
  try {
    dial.socket.flush();
    dial.socket.send(side.take(dial.socket.read(side.wanted())));
  } catch (const std::exception& wrong) {
    return end(dial, Outcome::failed, wrong.what(), now);
  }
  if (side.state() == State::accepted) {
    set_.forget(dial.socket.descriptor());
    met.push_back({dial.to, dial.socket.release()});
    dial.over = true;
  } else if (side.over()) {
    end(dial, side.state() == State::duplicate ? Outcome::duplicate : Outcome::failed, side.cause(), now);
  } else if (dial.socket.broken()) {
    const int error = dial.socket.error();
    if (error == 0) return end(dial, Outcome::failed, "it broke the greeting off", now);
    end(dial, error, now);
  } else if (waited != dial.socket.holds_unsent()) {
    set_.change(dial.socket.descriptor(), &dial, waited ? EPOLLIN : EPOLLIN | EPOLLOUT);
  }
}

void Dialer::end(Dial& dial, int error, Time now) {
  end(dial, outcome_of(error), std::system_category().message(error), now);
}

// Ends an attempt. Another one follows later, unless this was the last.
void Dialer::end(Dial& dial, Outcome outcome, std::string cause, Time now) {
  if (dial.socket.is_open()) set_.forget(dial.socket.descriptor());
  dial.socket.close();
  dial.side.reset();
  if (const auto pause = dial.redial.ended(outcome, now)) {
    dial.again_at = now.real + *pause;
    return;
  }
  dial.over = true;
  if (!dial.needed) return;
  const auto lasted = std::chrono::duration_cast<std::chrono::seconds>(dial.redial.lasted(now));
  given_up.push_back(
      {dial.to, outcome == Outcome::exhausted,
       "cannot connect to " + where(dial.to) + ": " + cause + " (for " + std::to_string(lasted.count()) + " s)"});
}

Nanoseconds Dialer::due() const {
  Nanoseconds due = never;
  for (const Dial& dial : dials_) {
    if (dial.redial.phase() == Redial::Phase::pausing) due = std::min(due, dial.again_at);
  }
  return due;
}

void Dialer::go_on(Time now) {
  for (Dial& dial : dials_) {
    if (dial.redial.phase() == Redial::Phase::pausing) {
      if (now.real >= dial.again_at) attempt(dial, now);
    } else if (dial.redial.too_late(now)) {
      end(dial, dial.obstacle, now);
    }
  }
  sweep();
}

void Dialer::hurry(Time now) {
  for (Dial& dial : dials_) {
    dial.redial.hurry();
    dial.again_at = now.real;
  }
}

void Dialer::sweep() {
  dials_.remove_if([](const Dial& dial) { return dial.over; });
}

void Dialer::cancel(Pid to) {
  const auto found = std::ranges::find(dials_, to, &Dial::to);
  if (found == dials_.end()) return;
  if (found->socket.is_open()) set_.forget(found->socket.descriptor());
  dials_.erase(found);
}

bool Dialer::attempts(Pid to) const {
  const auto found = std::ranges::find(dials_, to, &Dial::to);
  return found != dials_.end() && found->redial.phase() != Redial::Phase::pausing;
}

std::vector<Pid> Dialer::silent(Nanoseconds limit, Nanoseconds now) {
  std::vector<Pid> found;
  for (Dial& dial : dials_) {
    const bool greets = dial.redial.phase() == Redial::Phase::greeting;
    if (greets && dial.silence.lasts(dial.socket.descriptor(), limit, now)) found.push_back(dial.to);
  }
  return found;
}

std::string Dialer::where(Pid to) const {
  const ProcessAddress& address = endpoints_.address(to);
  return address.ip + " port " + std::to_string(address.port) + " (" + address.host + ")";
}

}  // namespace cohort
