// Processes on TCP networks: one connection for a pair of processes, made on first use, over Asio.
#pragma once

#include <memory>

#include "runtime/job.hpp"
#include "runtime/transport/transport.hpp"

namespace cohort {

// A listening socket, opened before the job's addresses are known.
class TcpListener {
 public:
  // Throws Error(job) that names the address, the ports and the cause.
  explicit TcpListener(const ListenAt& at);
  ~TcpListener();
  TcpListener(TcpListener&&) noexcept;

  std::uint16_t port() const;

 private:
  friend std::unique_ptr<Transport> make_tcp_transport(const Job& job, TcpListener listener);
  int descriptor_ = -1;
};

// `job.address(job.me)` is where the listener listens.
std::unique_ptr<Transport> make_tcp_transport(const Job& job, TcpListener listener);

}  // namespace cohort
