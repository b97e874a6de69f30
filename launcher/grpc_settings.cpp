#include "launcher/grpc_settings.hpp"

#include <grpc/support/log.h>

#include <limits>

namespace cohort {

namespace {

constexpr int longest_message = 20 << 20;  // a line of output of 16 MiB and some
// For whoever connects to show who it is. An agent that was not heard in time, because hundreds came at once, tries
// again.
constexpr int handshake_limit_ms = 2'000;

}  // namespace

std::shared_ptr<grpc::ServerCredentials> server_credentials(const Certificate& certificate) {
  grpc::SslServerCredentialsOptions options(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  options.pem_root_certs = certificate.certificate;
  options.pem_key_cert_pairs.push_back({certificate.key, certificate.certificate});
  return grpc::SslServerCredentials(options);
}

void limit_messages(grpc::ServerBuilder& builder) {
  builder.SetMaxReceiveMessageSize(longest_message);
  builder.SetMaxSendMessageSize(longest_message);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);  // two jobs never share a port
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, handshake_limit_ms);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, 4);
  // Pulse does it; and gRPC's own would set TCP_USER_TIMEOUT, which kills the link to one that is only suspended.
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, std::numeric_limits<int>::max());
}

std::shared_ptr<grpc::Channel> open_channel(const std::string& address, const Certificate& certificate) {
  grpc::SslCredentialsOptions options;
  options.pem_root_certs = certificate.certificate;
  options.pem_private_key = certificate.key;
  options.pem_cert_chain = certificate.certificate;
  grpc::ChannelArguments arguments;
  arguments.SetSslTargetNameOverride(certificate_name);
  arguments.SetMaxReceiveMessageSize(longest_message);
  arguments.SetMaxSendMessageSize(longest_message);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  const std::string scheme = address.front() == '[' ? "ipv6:" : "ipv4:";
  return grpc::CreateCustomChannel(scheme + address, grpc::SslCredentials(options), arguments);
}

void silence_grpc() {
  gpr_set_log_function([](gpr_log_func_args*) {});
}

}  // namespace cohort
