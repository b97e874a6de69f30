// SPDX-License-Identifier: Apache-2.0
#include "launcher/remote/grpc_settings.hpp"

#include <grpc/support/log.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <limits>
#include <string>
#include <string_view>

#include "launcher/remote/chunks.hpp"

namespace cohort {

namespace {

// Time limit for a client's TLS handshake. An agent that misses it, because hundreds connect at once, tries again.
constexpr int handshake_limit_ms = 2'000;

std::atomic<bool> strangers_are_told = false;

// Reports the reason in a message of this form:
// "Handshake failed with fatal error SSL_ERROR_SSL: error:0A00009C:SSL routines::http request."
void log(gpr_log_func_args* entry) {
  static std::atomic<std::chrono::steady_clock::duration> last_told{};
  const std::string_view message = entry->message;
  if (!strangers_are_told || !message.starts_with("Handshake failed")) return;
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  auto last = last_told.load();
  if (now - last < std::chrono::seconds(1) || !last_told.compare_exchange_strong(last, now)) return;
  const std::string reason(message.substr(message.rfind(':') + 1));
  std::fprintf(stderr, "cohort: refused a connection at the launcher's port: %s\n", reason.c_str());
}

}  // namespace

std::shared_ptr<grpc::ServerCredentials> server_credentials(const Credentials& own) {
  grpc::SslServerCredentialsOptions options(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  options.pem_root_certs = own.authority;
  options.pem_key_cert_pairs.push_back({own.key, own.certificate});
  return grpc::SslServerCredentials(options);
}

void limit_messages(grpc::ServerBuilder& builder, std::size_t longest) {
  builder.SetMaxReceiveMessageSize(static_cast<int>(longest));
  builder.SetMaxSendMessageSize(static_cast<int>(longest));
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);  // two jobs never share a port
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, handshake_limit_ms);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, 4);
  // Disables gRPC's keepalive: Pulse does its work, and it would also set TCP_USER_TIMEOUT, which kills the connection
  // to a suspended peer.
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, std::numeric_limits<int>::max());
}

std::shared_ptr<grpc::Channel> open_channel(const std::string& address, const Credentials& own) {
  grpc::SslCredentialsOptions options;
  options.pem_root_certs = own.authority;
  options.pem_private_key = own.key;
  options.pem_cert_chain = own.certificate;
  grpc::ChannelArguments arguments;
  arguments.SetSslTargetNameOverride(launcher_name);
  arguments.SetMaxReceiveMessageSize(static_cast<int>(longest_alone));
  arguments.SetMaxSendMessageSize(static_cast<int>(longest_alone));
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  const std::string scheme = address.front() == '[' ? "ipv6:" : "ipv4:";
  return grpc::CreateCustomChannel(scheme + address, grpc::SslCredentials(options), arguments);
}

gpr_timespec deadline_after(std::chrono::nanoseconds time) {
  return gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_nanos(time.count(), GPR_TIMESPAN));
}

void silence_grpc() { gpr_set_log_function(log); }

void tell_of_strangers() {
  strangers_are_told = true;
  silence_grpc();
}

}  // namespace cohort
