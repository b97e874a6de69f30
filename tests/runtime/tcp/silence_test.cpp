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
#include <thread>

#include "tests/runtime/tcp/connected_sockets.hpp"
#include "tests/runtime/tcp/live_transport.hpp"

namespace cohort {
namespace {

using namespace std::chrono_literals;
using asio::ip::tcp;
using Clock = std::chrono::steady_clock;

constexpr auto limit = 500ms;

class Silent : public ConnectedSockets {
 protected:
  void cut() {
    sock_filter nothing{BPF_RET | BPF_K, 0, 0, 0};
    const sock_fprog program{1, &nothing};
    for (tcp::socket* end : {&near_, &far_}) {
      ASSERT_EQ(::setsockopt(end->native_handle(), SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program), 0);
    }
  }

  void heal() {
    const int unused = 0;
    for (tcp::socket* end : {&near_, &far_}) {
      ASSERT_EQ(::setsockopt(end->native_handle(), SOL_SOCKET, SO_DETACH_FILTER, &unused, sizeof unused), 0);
    }
  }

  void send() { asio::write(near_, asio::buffer("word", 4)); }

  bool lasts() { return silence_.lasts(near_.native_handle(), limit); }

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
  near_.non_blocking(true);
  const std::vector<char> much(1 << 20);
  asio::error_code full;
  while (!full) near_.write_some(asio::buffer(much), full);
  EXPECT_EQ(full, asio::error::would_block);
  EXPECT_GE(found_within(4 * limit), 4 * limit);
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
  keep_alive(near_.native_handle(), 1s);
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
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::array<sock_filter, 4> short_ones{{{BPF_LD | BPF_W | BPF_LEN, 0, 0, 0},
                                         {BPF_JMP | BPF_JGT | BPF_K, 0, 1, 60},  // a TCP header's most
                                         {BPF_RET | BPF_K, 0, 0, 0},
                                         {BPF_RET | BPF_K, 0, 0, 0xffff}}};
  const sock_fprog program{short_ones.size(), short_ones.data()};
  ASSERT_EQ(::setsockopt(listener, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program), 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(listener, reinterpret_cast<const sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(listener, 1), 0);
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  job.job.processes[1].port = ntohs(address.sin_port);

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
    silent = transport->silent(limit);
  }
  EXPECT_EQ(silent, std::vector<Pid>{1});
  EXPECT_GE(Clock::now() - begun, limit);
  transport->sever(1);
  ::close(listener);
}

TEST_F(Silent, KeepaliveEndsAnIdleLinkWithinTheLimitOrFourSeconds) {
  const auto option = [&](int level, int name) {
    int value = 0;
    socklen_t size = sizeof value;
    EXPECT_EQ(::getsockopt(near_.native_handle(), level, name, &value, &size), 0);
    return value;
  };
  for (const std::chrono::nanoseconds host_limit : {500ms, 1000ms, 4000ms, 5000ms, 7500ms, 60000ms}) {
    keep_alive(near_.native_handle(), host_limit);
    EXPECT_EQ(option(SOL_SOCKET, SO_KEEPALIVE), 1);
    const int s =
        option(IPPROTO_TCP, TCP_KEEPIDLE) + option(IPPROTO_TCP, TCP_KEEPCNT) * option(IPPROTO_TCP, TCP_KEEPINTVL);
    EXPECT_LE(s, std::max<long>(4, std::chrono::ceil<std::chrono::seconds>(host_limit).count()));
    EXPECT_GE(option(IPPROTO_TCP, TCP_KEEPCNT), 2);  // one may be lost
  }
  keep_alive(near_.native_handle(), 0ns);
  EXPECT_EQ(option(SOL_SOCKET, SO_KEEPALIVE), 0);
}

}  // namespace
}  // namespace cohort
