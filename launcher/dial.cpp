#include "launcher/dial.hpp"

#include <chrono>

#include <asio/connect.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>

#include "cohort/error.hpp"
#include "launcher/grpc_settings.hpp"
#include "proto/control.grpc.pb.h"

namespace cohort {

namespace {

using asio::ip::tcp;

constexpr auto connect_limit = std::chrono::seconds(2);
constexpr auto handshake_limit = std::chrono::seconds(20);

tcp::endpoint endpoint_of(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  std::string ip = address.substr(0, colon);
  if (ip.front() == '[') ip = ip.substr(1, ip.size() - 2);
  return {asio::ip::make_address(ip), static_cast<std::uint16_t>(std::stoul(address.substr(colon + 1)))};
}

// Connects to learn whether the address can be reached, and with which address of our own. Throws asio::system_error.
std::string address_that_reaches(const std::string& launcher) {
  asio::io_context loop;
  tcp::socket socket(loop);
  asio::error_code result = asio::error::timed_out;
  asio::steady_timer limit(loop, connect_limit);
  limit.async_wait([&](const asio::error_code& error) {
    if (!error) socket.close();
  });
  socket.async_connect(endpoint_of(launcher), [&](const asio::error_code& error) {
    if (socket.is_open()) result = error;
    limit.cancel();
  });
  loop.run();
  if (result) throw asio::system_error(result);
  return socket.local_endpoint().address().to_string();
}

// Whether the launcher answers. Where hundreds come at once it drops some for being late, also one that believes to be
// in: they come again.
bool is_heard(const std::shared_ptr<grpc::Channel>& channel) {
  const auto stub = v1::Control::NewStub(channel);
  const auto until = std::chrono::system_clock::now() + handshake_limit;
  grpc::Status status;
  do {
    grpc::ClientContext context;
    context.set_wait_for_ready(true);
    context.set_deadline(until);
    v1::Nothing nothing;
    status = stub->Knock(&context, {}, &nothing);
  } while (status.error_code() == grpc::StatusCode::UNAVAILABLE);
  return status.ok();
}

}  // namespace

Dialled dial(const std::vector<std::string>& addresses, const Certificate& certificate) {
  std::string tried;
  for (const std::string& address : addresses) {
    tried += (tried.empty() ? "" : "; ") + address;
    try {
      std::string own = address_that_reaches(address);
      std::shared_ptr<grpc::Channel> channel = open_channel(address, certificate);
      if (is_heard(channel)) {
        return {std::move(channel), address, std::move(own)};
      }
      tried += ": something listens there, but it is not this job's launcher";
    } catch (const std::exception& error) {
      tried += std::string(": ") + error.what();
    }
  }
  throw Error(ErrorCode::job, "cannot reach the launcher; tried " + (tried.empty() ? "nothing" : tried) +
                                  ". Name a network that all hosts share with --interface");
}

}  // namespace cohort
