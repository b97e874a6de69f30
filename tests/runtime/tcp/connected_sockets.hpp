// SPDX-License-Identifier: Apache-2.0
// Two sockets that are connected over the loopback interface.
#pragma once

#include <gtest/gtest.h>

#include <asio.hpp>

namespace cohort {

class ConnectedSockets : public ::testing::Test {
 protected:
  ConnectedSockets() {
    asio::ip::tcp::acceptor acceptor(io_, asio::ip::tcp::endpoint(asio::ip::address_v4::loopback(), 0));
    near_.connect(acceptor.local_endpoint());
    acceptor.accept(far_);
  }

  asio::io_context io_;
  asio::ip::tcp::socket near_{io_}, far_{io_};
};

}  // namespace cohort
