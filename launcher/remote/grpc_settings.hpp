// SPDX-License-Identifier: Apache-2.0
// Settings that both ends of a control connection share: credentials, limits, log.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <memory>
#include <string>

#include "launcher/remote/certificate.hpp"

namespace cohort {

std::shared_ptr<grpc::ServerCredentials> server_credentials(const Credentials& own);
// `longest`: of a message, in bytes.
void limit_messages(grpc::ServerBuilder& builder, std::size_t longest);

// A channel to "10.0.0.1:4711".
std::shared_ptr<grpc::Channel> open_channel(const std::string& address, const Credentials& own);

// A deadline for gRPC, this long from now. It uses the monotonic clock.
gpr_timespec deadline_after(std::chrono::nanoseconds time);

// Drops gRPC's own log, which goes to standard error: our errors tell the user enough.
void silence_grpc();

// For the launcher: drops the log, but reports a client without a certificate of the job, with at most one line a
// second. gRPC does not say who the client was.
void tell_of_strangers();

}  // namespace cohort
