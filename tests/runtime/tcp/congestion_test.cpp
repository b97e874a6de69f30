// SPDX-License-Identifier: Apache-2.0
// Which congestion control links get: none that paces within a host, and between hosts what the system's owner chose.
#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <asio.hpp>
#include <functional>
#include <string>
#include <vector>

#include "tests/runtime/tcp/live_transport.hpp"

namespace cohort {
namespace {

constexpr int most_descriptors = 256;

std::string control_of(int descriptor) {
  std::array<char, 16> name{};
  socklen_t size = name.size();
  return ::getsockopt(descriptor, IPPROTO_TCP, TCP_CONGESTION, name.data(), &size) == 0 ? name.data() : "";
}

bool is_connected(int descriptor) {
  sockaddr_storage peer;
  socklen_t size = sizeof peer;
  return ::getpeername(descriptor, reinterpret_cast<sockaddr*>(&peer), &size) == 0;
}

bool listens(int descriptor) {
  int value = 0;
  socklen_t size = sizeof value;
  return ::getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &value, &size) == 0 && value != 0;
}

std::vector<std::string> controls_of_those(const std::function<bool(int descriptor)>& are_meant) {
  std::vector<std::string> controls;
  for (int descriptor = 0; descriptor < most_descriptors; ++descriptor) {
    if (are_meant(descriptor) && !control_of(descriptor).empty()) controls.push_back(control_of(descriptor));
  }
  std::ranges::sort(controls);
  return controls;
}

TEST(CongestionControl, DoesNotPaceWithinAHost) {
  asio::io_context io;
  asio::ip::tcp::socket fresh(io, asio::ip::tcp::v4());
  const std::string systems = control_of(fresh.native_handle());

  LocalJob job{3};
  // Whom a pacing control has accepted stays paced, whatever control it gets afterwards.
  EXPECT_EQ(controls_of_those(listens), (std::vector<std::string>{"reno", "reno", "reno"}));
  job.job.processes[2].host = "another";
  LiveTransport sender{job, 0}, near{job, 1}, far{job, 2};
  sender.send(1);
  sender.send(2);
  ASSERT_TRUE(near.await_frames(1));
  ASSERT_TRUE(far.await_frames(1));

  std::vector<std::string> expected{"reno", "reno", systems, systems};  // both ends of each link
  std::ranges::sort(expected);
  EXPECT_EQ(controls_of_those(is_connected), expected);
}

}  // namespace
}  // namespace cohort
