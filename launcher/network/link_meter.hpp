// SPDX-License-Identifier: Apache-2.0
// A short measurement of the network between two hosts of a job, by their agents, while the job's processes start. The
// measurement is a job of two processes, in threads of the agents, over the transport that the processes will use. It
// takes about 40 ms on networks of 100 Mbit/s and more.
#pragma once

#include <asio/io_context.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "collectives/network.hpp"
#include "runtime/job.hpp"

namespace cohort {

namespace detail {
class Runtime;
}

class LinkMeter {
 public:
  struct Result {
    bool met = false;                // the two ends have exchanged messages
    std::optional<Network> network;  // if the ends have met and there is none, the hosts were too busy
  };
  // Called once, in the event loop.
  using Measured = std::function<void(const Result&)>;

  // The far end, which listens for the near end. `job` holds the id, the secret, and the values that decide on
  // spinning.
  LinkMeter(const Job& job, const ListenAt& listen_at);

  // The near end, which measures.
  LinkMeter(const Job& job, const ListenAt& listen_at, ProcessAddress far, asio::io_context& loop, Measured measured);

  ~LinkMeter();  // ends the measurement at any point
  LinkMeter(const LinkMeter&) = delete;

  std::uint16_t port() const { return port_; }

 private:
  void join_two(Job job, const ListenAt& listen_at, Pid me, ProcessAddress far);

  std::uint16_t port_ = 0;
  std::shared_ptr<detail::Runtime> runtime_;
  std::thread thread_;
};

}  // namespace cohort
