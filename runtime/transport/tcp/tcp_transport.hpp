// SPDX-License-Identifier: Apache-2.0
// Processes on TCP networks: one connection for each pair of processes, made on first use.
#pragma once

#include <memory>

#include "runtime/transport/endpoints.hpp"
#include "runtime/transport/transport.hpp"

namespace cohort {

// Limits for other processes.
struct TcpLimits {
  Nanoseconds silence{0};  // until a process that does not answer is suspected; 0: never, and dialled for 10 s
};

// A listening socket, opened before the job's addresses are known.
class TcpListener {
 public:
  // Throws Error(job) that names the address, the ports and the cause.
  explicit TcpListener(const ListenAt& at);
  ~TcpListener();
  TcpListener(TcpListener&&) noexcept;

  std::uint16_t port() const;

 private:
  friend std::unique_ptr<Transport> make_tcp_transport(const Endpoints&, TcpListener, const TcpLimits&, TimeSource);
  int descriptor_ = -1;
};

// `endpoints.address(endpoints.me)` is the listener's address.
std::unique_ptr<Transport> make_tcp_transport(const Endpoints& endpoints, TcpListener listener,
                                              const TcpLimits& limits = {}, TimeSource time = steady_now);

}  // namespace cohort
