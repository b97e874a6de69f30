// SPDX-License-Identifier: Apache-2.0
// Whether the other end answers. A socket that filters all its segments away is one behind a cut link.
#include "runtime/transport/tcp/silence.hpp"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <asio.hpp>
#include <cerrno>
#include <list>
#include <optional>
#include <string>
#include <thread>

#include "runtime/frequent_tries.hpp"
#include "tests/runtime/tcp/connected_sockets.hpp"
#include "tests/runtime/tcp/live_transport.hpp"
#include "tests/runtime/tcp/raw_peer.hpp"

namespace cohort {
namespace {

using namespace std::chrono_literals;
using asio::ip::tcp;
using Clock = std::chrono::steady_clock;

constexpr auto limit = 500ms;

// The socket hears only segments that are no longer, with their TCP header; 0: none at all.
void hear_only(int socket, std::uint32_t longest) {
  std::array<sock_filter, 4> short_ones{{{BPF_LD | BPF_W | BPF_LEN, 0, 0, 0},
                                         {BPF_JMP | BPF_JGT | BPF_K, 0, 1, longest},
                                         {BPF_RET | BPF_K, 0, 0, 0},
                                         {BPF_RET | BPF_K, 0, 0, 0xffff}}};
  const sock_fprog program{short_ones.size(), short_ones.data()};
  ASSERT_EQ(::setsockopt(socket, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program), 0);
}

void hear_all(int socket) {
  const int unused = 0;
  ASSERT_EQ(::setsockopt(socket, SOL_SOCKET, SO_DETACH_FILTER, &unused, sizeof unused), 0);
}

void fill(tcp::socket& socket) {
  socket.non_blocking(true);
  const std::vector<char> much(1 << 20);
  asio::error_code full;
  while (!full) socket.write_some(asio::buffer(much), full);
  ASSERT_EQ(full, asio::error::would_block);
}

class Silent : public ConnectedSockets {
 protected:
  void cut() {
    for (tcp::socket* end : {&near_, &far_}) hear_only(end->native_handle(), 0);
  }

  void heal() {
    for (tcp::socket* end : {&near_, &far_}) hear_all(end->native_handle());
  }

  void send() { asio::write(near_, asio::buffer("word", 4)); }

  // Segments that are not acknowledged.
  std::uint32_t on_their_way() {
    tcp_info info{};
    socklen_t size = sizeof info;
    EXPECT_EQ(::getsockopt(near_.native_handle(), IPPROTO_TCP, TCP_INFO, &info, &size), 0);
    return info.tcpi_unacked;
  }

  bool lasts() { return silence_.lasts(near_.native_handle(), limit, steady_now()); }

  // Looks again and again; when it was found, or the end of this time.
  Clock::duration found_within(Clock::duration most) {
    const auto begun = Clock::now();
    while (Clock::now() - begun < most && !lasts()) std::this_thread::sleep_for(10ms);
    return Clock::now() - begun;
  }

  Silence silence_;
};

TEST_F(Silent, IsFoundAfterTheLimit) {
  EXPECT_FALSE(lasts());
  cut();
  send();
  const auto found = found_within(10s);
  EXPECT_GE(found, limit);
  EXPECT_LT(found, 5s);
}

TEST_F(Silent, IsNobodyToWhomNothingWasSent) {
  cut();
  EXPECT_GE(found_within(3 * limit), 3 * limit);
}

TEST_F(Silent, IsNobodyWhoDoesNotRead) {
  fill(near_);
  EXPECT_GE(found_within(4 * limit), 4 * limit);
}

TEST_F(Silent, IsFoundBehindAWindowThatWasClosed) {
  try_often(near_.native_handle(), limit);
  fill(near_);
  while (on_their_way() > 0) std::this_thread::sleep_for(1ms);
  cut();
  EXPECT_LT(found_within(10s), 5s);
}

// Small segments pass, both ways, and probes are answered.
TEST_F(Silent, Case85IsFoundThoughOnlyLargeSegmentsVanish) {
  try_often(near_.native_handle(), limit);
  hear_only(far_.native_handle(), 600);
  asio::write(near_, asio::buffer(std::vector<char>(1000)));
  std::jthread speaker([this](const std::stop_token& stop) {
    for (; !stop.stop_requested(); std::this_thread::sleep_for(50ms)) asio::write(far_, asio::buffer("word", 4));
  });
  const auto found = found_within(10s);
  EXPECT_GE(found, limit);
  EXPECT_LT(found, 5s);
}

TEST_F(Silent, Case85IsNobodyWhoseSmallSegmentsAreAllThereIs) {
  hear_only(far_.native_handle(), 600);
  const auto begun = Clock::now();
  while (Clock::now() - begun < 3 * limit) {
    send();
    ASSERT_FALSE(lasts());
    std::this_thread::sleep_for(20ms);
  }
}

// As with a --host-limit of 5 s, of which a broken link waits 0.4 s for the launcher's verdict.
constexpr auto silence_limit = 4000ms, two_fifths = 2000ms, found_limit = 4600ms, look_interval = 250ms;

// A connection that is cut for a while. When that happens data are on their way, or nothing, or as much as the receiver
// takes.
class CutLink {
 public:
  enum class Way : std::uint8_t { data, idle, full };

  CutLink(asio::io_context& io, Way way, std::chrono::milliseconds from, std::chrono::milliseconds lasts)
      : near_(io), far_(io), way_(way), from_(from), lasts_(lasts) {
    tcp::acceptor acceptor(io, {asio::ip::address_v4::loopback(), 0});
    near_.connect(acceptor.local_endpoint());
    acceptor.accept(far_);
    for (tcp::socket* end : {&near_, &far_}) try_often(end->native_handle(), silence_limit);
    if (way == Way::full) fill(near_);
  }

  // What happens at this time.
  void go_on(Clock::duration now) {
    if (!cut_ && now >= from_) {
      cut_ = true;
      for (tcp::socket* end : {&near_, &far_}) hear_only(end->native_handle(), 0);
      if (way_ == Way::data) asio::write(near_, asio::buffer("word", 4));
    } else if (!cut_ && way_ == Way::data) {
      asio::write(near_, asio::buffer("word", 4));
    }
    if (cut_ && !healed_ && now >= from_ + lasts_) {
      healed_ = true;
      for (tcp::socket* end : {&near_, &far_}) hear_all(end->native_handle());
    }
  }
  void look(Clock::duration now) {
    if (!found_ && silence_.lasts(near_.native_handle(), silence_limit, steady_now())) found_ = now - from_;
  }

  void expect_what_is_promised() const {
    const std::string which = std::to_string(static_cast<int>(way_)) + ", cut after " + std::to_string(from_.count()) +
                              " ms for " + std::to_string(lasts_.count()) + " ms, found after " +
                              (found_ ? std::to_string(*found_ / 1ms) : "no") + " ms";
    EXPECT_EQ(found_.has_value(), lasts_ > two_fifths) << which;
    EXPECT_LT(found_.value_or(0s), found_limit) << which;
  }

 private:
  tcp::socket near_, far_;
  const Way way_;
  const std::chrono::milliseconds from_, lasts_;
  bool cut_ = false, healed_ = false;
  Silence silence_;
  std::optional<Clock::duration> found_;
};

TEST(CutLinks, Case93AreFoundUnlessTheyWereAwayForLessThanTwoFifthsOfTheLimit) {
  asio::io_context io;
  std::list<CutLink> links;
  for (const CutLink::Way way : {CutLink::Way::data, CutLink::Way::idle, CutLink::Way::full}) {
    for (const auto from : {1000ms, 1300ms, 1700ms}) {
      for (const auto lasts : {500ms, 1000ms, 1500ms, 1950ms, 3600000ms}) links.emplace_back(io, way, from, lasts);
    }
  }
  const auto begun = Clock::now();
  for (auto next_look = begun; Clock::now() - begun < 6500ms; std::this_thread::sleep_for(10ms)) {
    const bool looks = Clock::now() >= next_look;
    if (looks) next_look += look_interval;
    for (CutLink& link : links) {
      link.go_on(Clock::now() - begun);
      if (looks) link.look(Clock::now() - begun);
    }
  }
  for (const CutLink& link : links) link.expect_what_is_promised();
}

TEST_F(Silent, CountsFromTheFirstLookThatFindsSomethingOnItsWay) {
  EXPECT_FALSE(lasts());
  std::this_thread::sleep_for(2 * limit);  // nobody looks: the program computes
  cut();
  send();
  EXPECT_FALSE(lasts());
  EXPECT_GE(found_within(10s), limit);
}

TEST_F(Silent, IsForgottenWhenTheLinkHeals) {
  cut();
  send();
  EXPECT_GE(found_within(limit - 100ms), limit - 100ms);
  heal();
  char word[4];
  asio::read(far_, asio::buffer(word));  // it was sent again
  EXPECT_GE(found_within(3 * limit), 3 * limit);
  cut();
  send();
  EXPECT_LT(found_within(10s), 5s);
}

// Nothing is on its way: only keepalive can find it.
TEST_F(Silent, EndsAnIdleConnection) {
  try_often(near_.native_handle(), 1s);
  cut();
  pollfd end{near_.native_handle(), POLLIN, 0};
  ASSERT_EQ(::poll(&end, 1, 20'000), 1);
  char byte = 0;
  EXPECT_EQ(::recv(near_.native_handle(), &byte, 1, MSG_DONTWAIT), -1);
  EXPECT_EQ(errno, ETIMEDOUT);
}

// The connection is made, and then the link is cut: nobody ever answers the greeting.
TEST(SilentTransport, IsFoundDuringTheGreeting) {
  LocalJob job(2);
  const RawListener place(1);
  hear_only(place.descriptor, 60);  // a TCP header's most
  job.job.processes[1].port = place.port;

  Quiet handler;
  const std::unique_ptr<Transport> transport = make_tcp_transport(job.job_of(0), std::move(job.listeners[0]));
  transport->attach(handler);
  OutgoingFrame frame;
  EXPECT_FALSE(transport->send(1, frame));
  std::vector<Pid> silent;
  const auto begun = Clock::now();
  while (silent.empty() && Clock::now() - begun < 10s) {
    transport->poll(-1);
    transport->wait(10ms);
    silent = transport->liveness()->silent(limit);
  }
  EXPECT_EQ(silent, std::vector<Pid>{1});
  EXPECT_GE(Clock::now() - begun, limit);
  transport->disconnect(1);
}

TEST_F(Silent, TheSystemTriesAtLeastFourTimesInTheLimitOrOnceASecond) {
  const auto option = [&](int level, int name) {
    int value = 0;
    socklen_t size = sizeof value;
    EXPECT_EQ(::getsockopt(near_.native_handle(), level, name, &value, &size), 0);
    return value;
  };
  for (const std::chrono::nanoseconds seconds : {500ms, 1000ms, 4000ms, 5000ms, 7500ms, 60000ms}) {
    try_often(near_.native_handle(), seconds);
    EXPECT_EQ(option(SOL_SOCKET, SO_KEEPALIVE), 1);
    const auto interval = std::max<std::chrono::nanoseconds>(seconds / 4, 1s);
    EXPECT_LE(option(IPPROTO_TCP, TCP_KEEPIDLE) * 1s, interval);
    EXPECT_LE(option(IPPROTO_TCP, TCP_KEEPINTVL) * 1s, interval);
    // The system gives up later than whoever looks.
    EXPECT_GT(option(IPPROTO_TCP, TCP_KEEPCNT) * option(IPPROTO_TCP, TCP_KEEPINTVL) * 1s, seconds);
  }
  try_often(near_.native_handle(), 0ns);
  EXPECT_EQ(option(SOL_SOCKET, SO_KEEPALIVE), 0);
}

}  // namespace
}  // namespace cohort
