// Room beside the window that a connection offers.
#include "runtime/transport/tcp/receive_window.hpp"

#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <asio.hpp>

namespace cohort {
namespace {

using asio::ip::tcp;

int clamp_of(tcp::socket& socket) {
  int most = 0;
  socklen_t size = sizeof most;
  EXPECT_EQ(::getsockopt(socket.native_handle(), IPPROTO_TCP, TCP_WINDOW_CLAMP, &most, &size), 0);
  return most;
}

TEST(ReceiveWindow, KeepsRoomOnceForWhatTheSystemOffers) {
  asio::io_context io;
  tcp::acceptor acceptor(io, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
  tcp::socket near(io), far(io);
  near.connect(acceptor.local_endpoint());
  acceptor.accept(far);
  const int descriptor = near.native_handle();
  const int first = clamp_of(near);

  ReceiveWindow window;
  window.was_read(descriptor, ReceiveWindow::bytes_per_look - 1);
  EXPECT_EQ(clamp_of(near), first);
  window.was_read(descriptor, 1);
  EXPECT_EQ(clamp_of(near), first - ReceiveWindow::room);
  window.was_read(descriptor, ReceiveWindow::bytes_per_look);
  EXPECT_EQ(clamp_of(near), first - ReceiveWindow::room);

  const int larger = 3 * first;  // as the system does when more arrives
  ASSERT_EQ(::setsockopt(descriptor, IPPROTO_TCP, TCP_WINDOW_CLAMP, &larger, sizeof larger), 0);
  window.was_read(descriptor, ReceiveWindow::bytes_per_look);
  EXPECT_EQ(clamp_of(near), larger - ReceiveWindow::room);

  const int tiny = 2 * ReceiveWindow::room - 1;
  ASSERT_EQ(::setsockopt(descriptor, IPPROTO_TCP, TCP_WINDOW_CLAMP, &tiny, sizeof tiny), 0);
  window.was_read(descriptor, ReceiveWindow::bytes_per_look);
  EXPECT_EQ(clamp_of(near), tiny);
}

}  // namespace
}  // namespace cohort
