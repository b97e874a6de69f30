// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/tcp/greeter.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "cohort/error.hpp"
#include "runtime/transport/tcp/pacing.hpp"
#include "runtime/transport/tcp/socket_address.hpp"

namespace cohort {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds look_interval = 50ms;
constexpr Nanoseconds longest_look = 100ms;  // the watcher of a computing process looks this often
constexpr Nanoseconds accept_pause = 50ms;
constexpr std::size_t spare_strangers = 64;  // that may be half-open at once, besides one for each process

}  // namespace

Greeter::Greeter(const Endpoints& endpoints, Nanoseconds silence_limit, int listener)
    : endpoints_(endpoints),
      silence_limit_(silence_limit),
      listener_(listener),
      attended_(longest_look),
      standing_(endpoints.processes.size()),
      dialer_(endpoints, silence_limit) {
  set_.add(listener_, &listener_, EPOLLIN);
}

// Reads from waiting strangers before newcomers take their places.
void Greeter::advance(Nanoseconds now) {
  if (listener_ < 0) return;
  hear(now);
  if (paused_ && now >= pause_end_) {
    paused_ = false;
    set_.change(listener_, &listener_, EPOLLIN);
  }
  if (std::exchange(knocked_, false)) {
    accept(now);
    hear(now);
  }
  if (now >= due()) look(now);
  set_due();
}

// All that has arrived was heard before, so a stranger that is late is late by its own fault.
void Greeter::look(Nanoseconds now) {
  attended_.look(AttendedTime::RealTime(now));
  looked_at_ = now;
  drop_late_strangers(now);
  sweep();
  dialer_.go_on(time(now));
  collect();
}

// Takes the dialer's results.
void Greeter::collect() {
  for (const Met& met : std::exchange(dialer_.met, {})) {
    standing(met.peer) = Standing::met;
    met_.push_back(met);
  }
  for (GivenUp& given_up : std::exchange(dialer_.given_up, {})) {
    standing(given_up.peer) = Standing::gone;
    given_up_.push_back(std::move(given_up));
  }
}

void Greeter::sweep() {
  strangers_.remove_if([](const Stranger& stranger) { return stranger.over; });
}

void Greeter::set_due() {
  Nanoseconds due = dialer_.due();
  if (!strangers_.empty() || dialer_.busy()) due = std::min(due, looked_at_ + look_interval);
  if (paused_) due = std::min(due, pause_end_);
  due_.store(due.count(), std::memory_order_relaxed);
}

void Greeter::hear(Nanoseconds now) {
  dialer_.hear(time(now));
  collect();
  for (bool more = true; more;) {
    const auto events = set_.wait(Nanoseconds(0));
    more = events.size() == SocketSet::most_at_once;
    for (const epoll_event& event : events) {
      if (event.data.ptr == &listener_) {
        knocked_ = true;
      } else {
        hear(*static_cast<Stranger*>(event.data.ptr), now);
      }
    }
  }
  sweep();
}

void Greeter::hear(Stranger& stranger, Nanoseconds now) {
  using State = handshake::AcceptorSide::State;
  const bool waited = stranger.socket.holds_unsent();
  try {
    converse(stranger);
  } catch (const std::exception& error) {
    end(stranger);
    return complain(stranger.ip, error.what(), now);
  }
  const bool waits = stranger.socket.holds_unsent();
  if (stranger.side.state() == State::answered) {
    if (!waits || stranger.socket.broken()) let_in(stranger);
  } else if (stranger.side.state() == State::refused) {
    end(stranger);
    complain(stranger.ip, stranger.side.complaint(), now);
  } else if (stranger.socket.broken()) {
    end(stranger);  // without a complaint: it may be a process that gave its dial up
  }
  if (!stranger.over && waits != waited) {
    set_.change(stranger.socket.descriptor(), &stranger, waits ? EPOLLIN | EPOLLOUT : EPOLLIN);
  }
}

void Greeter::converse(Stranger& stranger) {
  stranger.socket.flush();
  stranger.socket.send(stranger.side.take(stranger.socket.read(stranger.side.wanted())));
  if (stranger.side.state() != handshake::AcceptorSide::State::awaits_verdict) return;
  stranger.verdict = judge(stranger.side.caller());
  stranger.socket.send(stranger.side.answer(stranger.verdict));
}

handshake::Verdict Greeter::judge(Pid from) {
  if (standing(from) != Standing::unknown) return handshake::Verdict::duplicate;
  if (dialer_.attempts(from) && endpoints_.me < from) return handshake::Verdict::duplicate;
  dialer_.cancel(from);
  standing(from) = Standing::met;
  return handshake::Verdict::accepted;
}

// If the caller was accepted, this is its connection, even if the answer could not be sent.
void Greeter::let_in(Stranger& stranger) {
  const Pid from = stranger.side.caller();
  if (stranger.verdict == handshake::Verdict::accepted) {
    set_.forget(stranger.socket.descriptor());
    const int descriptor = stranger.socket.release();
    if (!endpoints_.shares_host(from)) pace_as_usual(descriptor);
    met_.push_back({from, descriptor});
  }
  end(stranger);
}

void Greeter::end(Stranger& stranger) {
  if (stranger.socket.is_open()) set_.forget(stranger.socket.descriptor());
  stranger.socket.close();
  stranger.over = true;
}

// Accepts no more in one turn than may be half-open, so that all are heard before the next ones take their places.
void Greeter::accept(Nanoseconds now) {
  for (std::size_t i = 0; i < most_strangers(); ++i) {
    if (accept_one(now)) continue;
    if (errno == EAGAIN || errno == EWOULDBLOCK) return;
    if (errno != ECONNABORTED && errno != EINTR) return pause(now);
  }
}

// There are no descriptors, or no memory. New connections wait in the listener's queue meanwhile.
void Greeter::pause(Nanoseconds now) {
  paused_ = true;
  pause_end_ = now + accept_pause;
  set_.change(listener_, &listener_, 0);
}

std::size_t Greeter::most_strangers() const { return endpoints_.processes.size() + spare_strangers; }

// Returns false, with errno set, if it has accepted no connection.
bool Greeter::accept_one(Nanoseconds now) {
  SocketAddress from;
  const int descriptor = ::accept4(listener_, from.data(), &from.size(), SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (descriptor < 0) return false;
  prepare_socket(descriptor, silence_limit_);
  if (strangers_.size() >= most_strangers()) make_room(now);
  begin_to_attend(now);
  try {
    Stranger& stranger = strangers_.emplace_back(descriptor, from.ip(), endpoints_, attended_.now());
    set_.add(descriptor, &stranger, EPOLLIN);
  } catch (const Error& error) {  // there are no random numbers; the socket is closed
    complain(from.ip(), error.what(), now);
  }
  return true;
}

// Drops the oldest stranger that has not proven its identity.
void Greeter::make_room(Nanoseconds now) {
  const auto oldest = std::ranges::find_if(strangers_, [](const auto& one) { return !one.over && !one.side.proven(); });
  if (oldest == strangers_.end()) return;
  drop(*oldest, "too many connect at once and do not say who they are", now);
  strangers_.erase(oldest);
}

void Greeter::drop_late_strangers(Nanoseconds now) {
  for (Stranger& stranger : strangers_) {
    if (!stranger.over && stranger.side.late(attended_.now())) {
      drop(stranger, "it did not say who it is within 2 s", now);
    }
  }
}

// Drops a stranger that exceeds a limit. A member that was too slow is called back: a dial has all the time it needs.
void Greeter::drop(Stranger& stranger, const std::string& why, Nanoseconds now) {
  end(stranger);
  if (stranger.side.caller() >= 0) dial(stranger.side.caller(), /*needed=*/false, now);
  if (!may_be_a_member(stranger)) complain(stranger.ip, why, now);
}

// A member that was too slow dials again, so there is nothing to complain of.
bool Greeter::may_be_a_member(const Stranger& stranger) const {
  if (stranger.side.caller() >= 0) return true;
  for (Pid pid = 0; pid < endpoints_.ranks(); ++pid) {
    const bool unmet = pid != endpoints_.me && standing_[static_cast<std::size_t>(pid)] == Standing::unknown;
    if (unmet && endpoints_.address(pid).ip == stranger.ip) return true;
  }
  return false;
}

void Greeter::complain(const std::string& ip, const std::string& complaint, Nanoseconds now) {
  if (last_complaint_ != 0ns && now - last_complaint_ < 1s) return;
  last_complaint_ = now;
  std::fprintf(stderr, "cohort: refused a connection from %s: %s\n", ip.c_str(), complaint.c_str());
}

void Greeter::dial(Pid to, Nanoseconds now) {
  dial(to, /*needed=*/true, now);
  set_due();
}

void Greeter::dial(Pid to, bool needed, Nanoseconds now) {
  if (listener_ < 0 || standing(to) != Standing::unknown) return;
  begin_to_attend(now);
  dialer_.dial(to, needed, time(now));
}

// Attended time passes only while connections are being made.
void Greeter::begin_to_attend(Nanoseconds now) {
  if (!strangers_.empty() || dialer_.busy()) return;
  attended_.begin(AttendedTime::RealTime(now));
  looked_at_ = now;
}

void Greeter::forget(Pid peer) {
  dialer_.cancel(peer);
  standing(peer) = Standing::gone;
}

void Greeter::hurry(Nanoseconds now) {
  dialer_.hurry(time(now));
  set_due();
}

void Greeter::stop() {
  if (listener_ >= 0) set_.forget(std::exchange(listener_, -1));
  strangers_.clear();
  dialer_.cancel_all();
  for (const Met& met : take_met()) ::close(met.descriptor);
  paused_ = false;
  due_.store(Dialer::never.count(), std::memory_order_relaxed);
}

}  // namespace cohort
