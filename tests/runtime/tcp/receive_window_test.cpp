// SPDX-License-Identifier: Apache-2.0
// Room beside the window that a connection offers.
#include "runtime/transport/tcp/receive_window.hpp"

#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <vector>

#include "runtime/transport/tcp/connection.hpp"
#include "tests/runtime/tcp/connected_sockets.hpp"
#include "tests/runtime/tcp/live_transport.hpp"

namespace cohort {
namespace {

class Windows : public ConnectedSockets {
 protected:
  int offered() {
    int most = 0;
    socklen_t size = sizeof most;
    EXPECT_EQ(::getsockopt(near_.native_handle(), IPPROTO_TCP, TCP_WINDOW_CLAMP, &most, &size), 0);
    return most;
  }

  // As the system does when more arrives, or less is worth it.
  void offer(int most) {
    ASSERT_EQ(::setsockopt(near_.native_handle(), IPPROTO_TCP, TCP_WINDOW_CLAMP, &most, sizeof most), 0);
  }
};

TEST_F(Windows, KeepRoomOnceForWhatTheSystemOffers) {
  const int descriptor = near_.native_handle();
  const int first = offered();
  ReceiveWindow window;
  window.was_read(descriptor, ReceiveWindow::bytes_per_look - 1);
  EXPECT_EQ(offered(), first);
  window.was_read(descriptor, 1);
  EXPECT_EQ(offered(), first - ReceiveWindow::room);
  window.was_read(descriptor, ReceiveWindow::bytes_per_look);
  EXPECT_EQ(offered(), first - ReceiveWindow::room);

  constexpr int least = 2 * ReceiveWindow::room;
  for (const int anew : {3 * first, first, least}) {
    offer(anew);
    window.was_read(descriptor, ReceiveWindow::bytes_per_look);
    EXPECT_EQ(offered(), anew - ReceiveWindow::room);
  }
  offer(least - 1);
  window.was_read(descriptor, ReceiveWindow::bytes_per_look);
  EXPECT_EQ(offered(), least - 1);
}

TEST_F(Windows, KeepRoomWhereAConnectionReads) {
  near_.set_option(asio::socket_base::receive_buffer_size(262144));  // so that the system does not make it larger
  near_.non_blocking(true);
  far_.non_blocking(true);
  Connection receiver(0), sender(1);
  receiver.start(near_.native_handle());
  sender.start(far_.native_handle());
  const std::vector<std::byte> payload(8192);
  std::vector<std::byte> staging(Connection::staging_size);
  Taker taker;
  const auto pass = [&](std::size_t bytes) {
    for (std::size_t passed = 0; passed < bytes; passed += payload.size()) {
      OutgoingFrame frame;
      frame.header.payload = frame.header.length = static_cast<std::uint32_t>(payload.size());
      frame.payload = {{payload.data(), payload.size()}};
      ASSERT_TRUE(sender.send(frame));
      for (const int before = taker.frames; taker.frames == before && !receiver.ended();) {
        receiver.receive(taker, staging);
      }
    }
  };
  pass(ReceiveWindow::bytes_per_look / 2);
  const int first = offered();
  pass(ReceiveWindow::bytes_per_look / 2);
  EXPECT_EQ(offered(), first - ReceiveWindow::room);
}

}  // namespace
}  // namespace cohort
