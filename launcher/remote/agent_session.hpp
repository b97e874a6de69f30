// SPDX-License-Identifier: Apache-2.0
// The agent's side of the stream: passes the launcher's messages to this host's HostShell, and the HostShell's reports
// to the launcher.
#pragma once

#include <grpcpp/grpcpp.h>

#include <asio/io_context.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "launcher/host/host.hpp"
#include "launcher/remote/chunks.hpp"
#include "launcher/remote/pulse.hpp"
#include "proto/control.grpc.pb.h"

namespace cohort {

class AgentSession final : public HostListener, private grpc::ClientBidiReactor<v1::FromHost, v1::ToHost> {
 public:
  // Calls `over` once, in the event loop, when the stream has ended. `trouble` is empty if the stream ended in order.
  // Otherwise it gives the cause, such as a launcher that was silent for too long. The process must then exit without
  // destroying the session.
  AgentSession(asio::io_context& loop, std::shared_ptr<grpc::Channel> channel, double host_limit_s,
               std::function<void(std::string trouble)> over);

  void open(Host& host, const v1::Attached& hello);

  void heard(int host, v1::FromHost&& message) override;
  void lost(int host, const std::string& cause) override;

 private:
  void end(std::string trouble = {});
  void OnReadDone(bool good) override;
  void OnWriteDone(bool good) override;

  asio::io_context& loop_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::Control::Stub> stub_;
  grpc::ClientContext context_;
  std::function<void(std::string)> over_;
  Pulse pulse_;
  Host* host_ = nullptr;
  v1::ToHost incoming_;
  Chunks chunks_;
  std::deque<v1::FromHost> outgoing_;  // the first is being written
};

}  // namespace cohort
