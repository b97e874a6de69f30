// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/shell/examine.hpp"

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <chrono>

#include "launcher/host/program.hpp"
#include "launcher/network/interfaces.hpp"

namespace cohort {

namespace {

bool is_free(asio::io_context& loop, const asio::ip::address& address, int port) {
  const asio::ip::tcp::endpoint endpoint(address, static_cast<std::uint16_t>(port));
  asio::ip::tcp::acceptor listener(loop);
  asio::error_code error;
  listener.open(endpoint.protocol(), error);
  if (!error) listener.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) listener.bind(endpoint, error);
  if (!error) listener.listen(1, error);
  return !error;
}

int free_ports(const ListenAt& at) {
  if (at.ports.last == 0) return -1;
  asio::io_context loop;
  asio::error_code error;
  const asio::ip::address address = asio::ip::make_address(at.ip, error);
  int found = 0;
  for (int port = at.ports.first; !error && port <= at.ports.last; ++port)
    found += is_free(loop, address, port) ? 1 : 0;
  return found;
}

}  // namespace

v1::Examined examine(const ListenAt& listen_at) {
  v1::Examined said;
  said.set_program(own_path());
  for (const std::string& address : own_addresses()) said.add_addresses(address);
  said.set_free_ports(free_ports(listen_at));
  const auto since_1970 =
      std::chrono::system_clock::now().time_since_epoch();  // last: the asker measures how long this took
  said.set_clock_ns(std::chrono::duration_cast<std::chrono::nanoseconds>(since_1970).count());
  return said;
}

}  // namespace cohort
