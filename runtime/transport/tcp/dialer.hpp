// SPDX-License-Identifier: Apache-2.0
// The dialer's side of making connections: it gives sockets to the machines of the greeting (greeting.hpp) and of the
// retries (redial.hpp).
#pragma once

#include <cerrno>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "runtime/transport/endpoints.hpp"
#include "runtime/transport/tcp/greeting.hpp"
#include "runtime/transport/tcp/greeting_socket.hpp"
#include "runtime/transport/tcp/redial.hpp"
#include "runtime/transport/tcp/silence.hpp"
#include "runtime/transport/tcp/socket_set.hpp"

namespace cohort {

// A connection that has been made. The socket belongs to the receiver of this object.
struct Met {
  Pid peer;
  int descriptor;
};

// A peer that can't be reached. `own_fault`: this process can't get a socket.
struct GivenUp {
  Pid peer;
  bool own_fault;
  std::string cause;
};

class Dialer {
 public:
  using Time = Redial::Time;
  static constexpr Nanoseconds never = Nanoseconds::max();

  Dialer(const Endpoints& endpoints, Nanoseconds silence_limit)
      : endpoints_(endpoints), silence_limit_(silence_limit) {}

  // Begins to dial, or continues. `needed`: this process has something to send.
  void dial(Pid to, bool needed, Time now);
  void cancel(Pid to);
  void hurry(Time now);  // as Redial::hurry(); ends pauses
  void cancel_all() { dials_.clear(); }

  bool busy() const { return !dials_.empty(); }
  bool attempts(Pid to) const;  // an attempt is in progress, not a pause

  int descriptor() const { return set_.descriptor(); }  // readable when hear() has something to do
  void hear(Time now);
  Nanoseconds due() const;  // the time when go_on() has something to do: real time, or never
  void go_on(Time now);

  // Peers that have received at least a part of our greeting and do not answer: as Liveness::silent().
  std::vector<Pid> silent(Nanoseconds limit, Nanoseconds now);

  // The results of the dials; the caller takes them.
  std::vector<Met> met;
  std::vector<GivenUp> given_up;  // only needed ones: others may be reached later, or dial themselves

 private:
  struct Dial {
    Dial(Pid peer, bool is_needed, const Redial& begun) : to(peer), needed(is_needed), redial(begun) {}

    const Pid to;
    bool needed;
    Redial redial;
    Nanoseconds again_at{0};  // during a pause
    GreetingSocket socket;
    std::optional<handshake::DialerSide> side;
    Silence silence;           // of this attempt's socket
    int obstacle = ETIMEDOUT;  // errno of the last attempt that did not reach the other system
    bool over = false;
  };

  void attempt(Dial& dial, Time now);
  int connect(Dial& dial);
  void connected(Dial& dial, Time now);
  void greet(Dial& dial, Time now);
  void end(Dial& dial, int error, Time now);
  void end(Dial& dial, Redial::Outcome outcome, std::string cause, Time now);
  void sweep();
  std::string where(Pid to) const;

  const Endpoints& endpoints_;
  const Nanoseconds silence_limit_;
  SocketSet set_;
  std::list<Dial> dials_;
};

}  // namespace cohort
