// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/tcp/receive_window.hpp"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace cohort {

void ReceiveWindow::keep_room(int descriptor) {
  unseen_ = 0;
  int most = 0;
  socklen_t size = sizeof most;
  if (::getsockopt(descriptor, IPPROTO_TCP, TCP_WINDOW_CLAMP, &most, &size) != 0 || most == most_) return;
  if (most < 2 * room) return;
  most_ = most - room;
  // If it fails, the connection works, only less well.
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_WINDOW_CLAMP, &most_, sizeof most_);
}

}  // namespace cohort
