// SPDX-License-Identifier: Apache-2.0
// One agent's stream, on the launcher's side. gRPC's threads only post events. All work is done in the event loop.
#pragma once

#include <grpcpp/grpcpp.h>

#include <asio/io_context.hpp>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "launcher/remote/chunks.hpp"
#include "proto/control.grpc.pb.h"

namespace cohort {

// The metadata key of an agent's description when it attaches. The value is a serialised v1::Attached.
inline constexpr const char* hello_key = "attached-bin";

class AgentStream;
class ControlService;

// Called from the event loop.
class AgentStreamEvents {
 public:
  virtual ~AgentStreamEvents() = default;
  virtual void stream_opened(AgentStream& stream) = 0;
  virtual void stream_lives(AgentStream& stream) = 0;  // something came, if only a chunk of a message
  virtual void stream_heard(AgentStream& stream, v1::FromHost&& message) = 0;
  virtual void stream_broken(AgentStream& stream) = 0;
  virtual void stream_gone(AgentStream& stream) = 0;  // the stream is deleted after this call
};

class AgentStream final : public grpc::ServerBidiReactor<v1::FromHost, v1::ToHost> {
 public:
  AgentStream(asio::io_context& loop, AgentStreamEvents& events, ControlService& service,
              grpc::CallbackServerContext& context);

  // In the event loop only.
  void send(const v1::ToHost& message);
  void finish();
  void cut();  // the other side may be gone
  void read();

  const std::optional<v1::Attached>& hello() const {
    return hello_;
  }  // the agent's description of itself, if its certificate confirms the host

  int host = -1;  // the host that attached with this stream; set by the owner

 private:
  void OnReadDone(bool good) override;
  void OnWriteDone(bool good) override;
  void OnDone() override;

  void write_next();
  void broken();

  asio::io_context& loop_;
  AgentStreamEvents& events_;
  ControlService& service_;
  grpc::CallbackServerContext& context_;
  std::optional<v1::Attached> hello_;
  v1::FromHost incoming_;
  Chunks chunks_;
  std::deque<v1::ToHost> outgoing_;  // the first is being written
  bool finished_ = false;
};

// The service: makes a stream for each call, and keeps the stream until gRPC has finished with it. TLS admits only
// agents of this job.
class ControlService final : public v1::Control::CallbackService {
 public:
  ControlService(asio::io_context& loop, AgentStreamEvents& events) : loop_(loop), events_(events) {}

  // Finishes all streams and refuses new ones, because a gRPC server waits for all its calls before it stops. Call it
  // in the event loop, or after the loop has stopped.
  void close();

  bool idle() const;

  // Gives up the ownership of a stream that is done. In the event loop only.
  std::unique_ptr<AgentStream> release(AgentStream& stream);

 private:
  grpc::ServerBidiReactor<v1::FromHost, v1::ToHost>* Attach(grpc::CallbackServerContext* context) override;
  grpc::ServerBidiReactor<v1::Nothing, v1::Nothing>* Knock(grpc::CallbackServerContext* context) override;

  asio::io_context& loop_;
  AgentStreamEvents& events_;
  mutable std::mutex mutex_;  // gRPC's threads call Attach()
  bool closed_ = false;
  std::unordered_map<AgentStream*, std::unique_ptr<AgentStream>> streams_;
};

}  // namespace cohort
