// SPDX-License-Identifier: Apache-2.0
// How an agent reaches its launcher.
#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>
#include <vector>

#include "launcher/remote/certificate.hpp"

namespace cohort {

struct Reached {
  std::shared_ptr<grpc::Channel> channel;
  std::string address;      // the launcher's address that answered
  std::string own_address;  // this host's, on the route to the launcher
};

// Tries the addresses ("10.0.0.1:4711") in order, each with a head start of 1 s before the next one. The first address
// that answers is the launcher's. Blocks for about 20 s at most. Throws Error(job) that lists the addresses, and why
// each failed.
Reached reach_launcher(const std::vector<std::string>& addresses, const Credentials& credentials);

}  // namespace cohort
