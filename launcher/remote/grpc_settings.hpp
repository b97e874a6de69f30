// What launcher and agents, or those who ask a launcher, must agree on: credentials, limits, silence.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <memory>
#include <string>

#include "launcher/remote/certificate.hpp"

namespace cohort {

std::shared_ptr<grpc::ServerCredentials> server_credentials(const Credentials& own);
void limit_messages(grpc::ServerBuilder& builder);

// A channel to "10.0.0.1:4711".
std::shared_ptr<grpc::Channel> open_channel(const std::string& address, const Credentials& own);

// A deadline of gRPC's so long from now, by the clock that nobody sets.
gpr_timespec deadline_after(std::chrono::nanoseconds time);

// gRPC writes its own log to standard error; our errors say what a user needs.
void silence_grpc();

// The same in the launcher, which says of whoever does not show a certificate of the job's at its port that it was
// refused: at most a line a second. Who that was gRPC does not say.
void tell_of_strangers();

}  // namespace cohort
