// Makes connections: accepts, dials, and plays the handshake, so that each pair of processes ends up with exactly one.
//
// Both may dial at once. Then the lower pid's dial wins: a process that is dialing answers a dial from a higher pid
// with "duplicate"; a process that accepts a dial from a lower pid gives its own up. Otherwise the dial that comes
// first is accepted, and none is made later. No frame travels before the verdict, so none is lost or doubled.
//
// Limits protect from strangers, and must not judge members by how slow this machine is. They count attended time, in
// which this process has run. A member that is dropped all the same dials again, and is called back, without a word.
//
// Everything here runs on one thread at a time: the driver's, or the one that calls Transport::greet().
#pragma once

#include <asio/awaitable.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "runtime/attended_time.hpp"
#include "runtime/time_source.hpp"
#include "runtime/transport/endpoints.hpp"
#include "runtime/transport/tcp/handshake.hpp"
#include "runtime/transport/tcp/silence.hpp"

namespace cohort {

// What the greeter tells. Called from within the reactor.
class Arrivals {
 public:
  virtual void connected(Pid peer, asio::ip::tcp::socket socket) = 0;
  // `peer` is this process where it can't have a socket: that is no peer's fault.
  virtual void unreachable(Pid peer, const std::string& cause) = 0;
  // Greeter::accept() is to be called when somebody knocks: the next time only.
  virtual void await_strangers() = 0;

 protected:
  ~Arrivals() = default;
};

class Greeter {
 public:
  // `listener` is a non-blocking listening socket, and stays its owner's.
  Greeter(asio::io_context& reactor, const Endpoints& job, Nanoseconds silence_limit, TimeSource time, int listener,
          Arrivals& arrivals);

  // Sees to it that there is a connection, unless there is or was one, or one is being made.
  void dial(Pid to) { dial(to, /*needed=*/true); }

  // The peer is lost: it can't come back.
  void forget(Pid peer);

  // Those who have got our greeting, or part of it, and do not answer: as Transport::silent().
  std::vector<Pid> silent(Nanoseconds limit);

  // Somebody knocks at the listener, or may.
  void accept();

  // Whether the reactor is needed: while connections are being made.
  bool busy() const { return paused_ || !strangers_.empty() || !dials_.empty(); }

  // Drops all sockets. Nothing is told afterwards.
  void stop();

 private:
  using Socket = asio::ip::tcp::socket;

  // Whoever has connected and has not shown yet who it is.
  struct Stranger {
    Socket socket;
    std::string ip;
    AttendedTime::Duration since;
    Pid claims = -1;     // the member of the job that it says it is
    bool known = false;  // it has shown that
    std::string fate{};  // why it was dropped, if it was: its socket is closed
  };
  struct Dial {
    Pid to;
    Socket socket;
    asio::steady_timer pause;
    AttendedTime::Duration start;
    AttendedTime::Duration unreached_since;
    bool needed = false;      // this process has something to send
    int attempts = 0;         // those that the other side broke off at once
    bool reached = false;     // in this attempt the other side's system answers
    bool connecting = false;  // the system is at it
    bool too_late = false;    // it took too long: the socket is closed
    bool active = false;      // an attempt is being made, not a pause
    bool cancelled = false;
    Silence silence{};                                   // of this attempt's socket
    asio::error_code obstacle = asio::error::timed_out;  // that the last one which was not made met
  };
  // How an attempt to dial ended.
  enum class Outcome { accepted, refused, failed, duplicate, exhausted };
  enum class Standing : std::uint8_t { unknown, met, gone };

  // greeter.cpp: the acceptor's side
  std::size_t most_strangers() const;
  bool accept_one();
  void make_room();
  static void drop(Stranger& stranger, std::string fate);
  void drop_late_strangers();
  asio::awaitable<void> greet(std::shared_ptr<Stranger> stranger);
  asio::awaitable<std::string> converse(Stranger& stranger, Pid& from);
  handshake::Verdict judge(Pid from);
  bool may_be_a_member(const Stranger& stranger) const;
  void complain(const std::string& ip, const std::string& complaint);
  void attend();
  void keep_looking();

  // dialer.cpp: the dialer's side
  void dial(Pid to, bool needed);
  asio::awaitable<void> pursue(std::shared_ptr<Dial> dial);
  asio::awaitable<Outcome> attempt(std::shared_ptr<Dial> dial, std::string& cause);
  asio::awaitable<void> connect(std::shared_ptr<Dial> dial);
  void give_up(Dial& dial, Outcome outcome, const std::string& cause);
  bool spent(const Dial& dial, Outcome outcome) const;
  void drop_late_dials();
  void cancel_dial(Pid to);
  std::string where(Pid to) const;

  Standing& standing(Pid pid) { return standing_[static_cast<std::size_t>(pid)]; }

  asio::io_context& reactor_;
  const Endpoints& job_;
  const Nanoseconds silence_limit_;
  const TimeSource time_;
  Arrivals& arrivals_;
  const int listener_;
  asio::steady_timer pause_;  // of accepting, when there are no descriptors
  bool paused_ = false;
  AttendedTime attended_;
  asio::steady_timer next_look_;
  bool attends_ = false;  // a look is to come
  std::vector<Standing> standing_;
  std::list<std::shared_ptr<Stranger>> strangers_;  // the oldest first
  std::list<std::shared_ptr<Dial>> dials_;
  Nanoseconds last_complaint_{0};
};

// Makes the system's socket Asio's; closes it if that fails. Returns whether it worked.
bool adopt(asio::ip::tcp::socket& socket, const asio::ip::tcp& protocol, int descriptor);

// For sockets that carry frames: no delay, and tries that are frequent enough to find a link that is cut.
void prepare_socket(int descriptor, Nanoseconds silence_limit);

}  // namespace cohort
