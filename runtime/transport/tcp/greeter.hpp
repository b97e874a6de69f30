// SPDX-License-Identifier: Apache-2.0
// Makes connections: accepts, dials (dialer.hpp), and plays the handshake, so that each pair of processes ends up with
// exactly one. The protocol is in machines (greeting.hpp); the greeter gives them sockets.
//
// Both may dial at once. Then the lower pid's dial wins: a process that is dialing answers a dial from a higher pid
// with "duplicate"; a process that accepts a dial from a lower pid gives its own up. Otherwise the first dial is
// accepted, and none is made later. No frame travels before the verdict, so none is lost or doubled.
//
// Limits protect from strangers, and must not judge members by the speed of this machine. So they count attended time,
// in which this process has run. A member that is dropped all the same dials again, and is called back, without a
// complaint.
//
// All functions are called under the runtime's lock, except due() and descriptors().
#pragma once

#include <array>
#include <atomic>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include "runtime/attended_time.hpp"
#include "runtime/transport/endpoints.hpp"
#include "runtime/transport/tcp/dialer.hpp"
#include "runtime/transport/tcp/greeting.hpp"
#include "runtime/transport/tcp/greeting_socket.hpp"
#include "runtime/transport/tcp/socket_set.hpp"

namespace cohort {

class Greeter {
 public:
  // `listener` is a non-blocking listening socket, and stays its owner's.
  Greeter(const Endpoints& endpoints, Nanoseconds silence_limit, int listener);

  // Dials, unless there is or was a connection, or one is being made.
  void dial(Pid to, Nanoseconds now);

  // The peer is lost for good: no connection to it is made any more.
  void forget(Pid peer);

  // This process leaves, and waits only for peers that may still receive something.
  void hurry(Nanoseconds now);

  // Peers that have received at least a part of our greeting and do not answer: as Liveness::silent().
  std::vector<Pid> silent(Nanoseconds limit, Nanoseconds now) { return dialer_.silent(limit, now); }

  // Continues with all that is ready or due. Called when one of the descriptors is readable, and at the time of due().
  void advance(Nanoseconds now);
  std::array<int, 2> descriptors() const { return {set_.descriptor(), dialer_.descriptor()}; }
  Nanoseconds due() const { return Nanoseconds(due_.load(std::memory_order_relaxed)); }  // or Dialer::never

  // Whether connections are being made.
  bool busy() const { return paused_ || !strangers_.empty() || dialer_.busy(); }

  // The results since the last call.
  bool has_news() const { return !met_.empty() || !given_up_.empty(); }
  std::vector<Met> take_met() { return std::exchange(met_, {}); }
  std::vector<GivenUp> take_given_up() { return std::exchange(given_up_, {}); }

  // Drops all sockets. No results follow.
  void stop();

 private:
  // A connection that has not been let in yet.
  struct Stranger {
    Stranger(int descriptor, std::string from, const Endpoints& endpoints, Nanoseconds now)
        : socket(descriptor), ip(std::move(from)), side(endpoints, handshake::fresh_nonce(), now) {}

    GreetingSocket socket;
    const std::string ip;
    handshake::AcceptorSide side;
    handshake::Verdict verdict{};
    bool over = false;
  };
  enum class Standing : std::uint8_t { unknown, met, gone };

  void hear(Nanoseconds now);
  void hear(Stranger& stranger, Nanoseconds now);
  void converse(Stranger& stranger);
  void let_in(Stranger& stranger);
  void end(Stranger& stranger);
  void accept(Nanoseconds now);
  bool accept_one(Nanoseconds now);
  void pause(Nanoseconds now);
  void make_room(Nanoseconds now);
  void drop(Stranger& stranger, const std::string& why, Nanoseconds now);
  void drop_late_strangers(Nanoseconds now);
  handshake::Verdict judge(Pid from);
  void dial(Pid to, bool needed, Nanoseconds now);
  void begin_to_attend(Nanoseconds now);
  void look(Nanoseconds now);
  void collect();
  void sweep();
  void set_due();
  bool may_be_a_member(const Stranger& stranger) const;
  void complain(const std::string& ip, const std::string& complaint, Nanoseconds now);
  std::size_t most_strangers() const;
  Dialer::Time time(Nanoseconds now) const { return {now, attended_.now()}; }
  Standing& standing(Pid pid) { return standing_[static_cast<std::size_t>(pid)]; }

  const Endpoints& endpoints_;
  const Nanoseconds silence_limit_;
  int listener_;
  SocketSet set_;  // the listener and the strangers
  bool knocked_ = false;
  bool paused_ = false;  // accepting pauses, because there are no descriptors
  Nanoseconds pause_end_{0};
  AttendedTime attended_;
  Nanoseconds looked_at_{0};
  std::vector<Standing> standing_;
  std::list<Stranger> strangers_;  // the oldest first
  Dialer dialer_;
  std::vector<Met> met_;
  std::vector<GivenUp> given_up_;
  Nanoseconds last_complaint_{0};
  std::atomic<Nanoseconds::rep> due_ = Dialer::never.count();
};

}  // namespace cohort
