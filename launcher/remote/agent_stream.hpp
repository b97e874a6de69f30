// One agent's stream, on the launcher's side. gRPC's threads only pass on that something has happened; everything is
// done in the event loop.
#pragma once

#include <grpcpp/grpcpp.h>

#include <asio/io_context.hpp>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "proto/control.grpc.pb.h"

namespace cohort {

// Under which an agent that attaches says who it is: a serialised v1::Attached.
inline constexpr const char* hello_key = "attached-bin";

class AgentStream;
class ControlService;

// Called from the event loop.
class AgentStreamEvents {
 public:
  virtual ~AgentStreamEvents() = default;
  virtual void stream_opened(AgentStream& stream) = 0;
  virtual void stream_heard(AgentStream& stream, v1::FromHost&& message) = 0;
  virtual void stream_broken(AgentStream& stream) = 0;
  virtual void stream_gone(AgentStream& stream) = 0;  // is deleted after this
};

class AgentStream final : public grpc::ServerBidiReactor<v1::FromHost, v1::ToHost> {
 public:
  AgentStream(asio::io_context& loop, AgentStreamEvents& events, ControlService& service,
              grpc::CallbackServerContext& context);

  // In the event loop only.
  void send(const v1::ToHost& message);
  void finish();
  void cut();  // the other side may not be there any more
  void read();

  const std::optional<v1::Attached>& hello() const { return hello_; }  // who it says that it is, and has shown

  int host = -1;  // for the owner: which host attached with it

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
  std::deque<v1::ToHost> outgoing_;  // the first is being written
  bool finished_ = false;
};

// The service: makes a stream for whoever calls, and keeps it until gRPC is done with it. TLS has let in only those of
// this job.
class ControlService final : public v1::Control::CallbackService {
 public:
  ControlService(asio::io_context& loop, AgentStreamEvents& events) : loop_(loop), events_(events) {}

  // Finishes all streams, and at once those that would still come: a server waits for every call of its before it goes.
  // In the event loop, or when that runs no more.
  void close();

  bool idle() const;

  // In the event loop: of a stream that is done.
  std::unique_ptr<AgentStream> release(AgentStream& stream);

 private:
  grpc::ServerBidiReactor<v1::FromHost, v1::ToHost>* Attach(grpc::CallbackServerContext* context) override;
  grpc::ServerBidiReactor<v1::Nothing, v1::Nothing>* Knock(grpc::CallbackServerContext* context) override;

  asio::io_context& loop_;
  AgentStreamEvents& events_;
  mutable std::mutex mutex_;  // gRPC's threads call
  bool closed_ = false;
  std::unordered_map<AgentStream*, std::unique_ptr<AgentStream>> streams_;
};

}  // namespace cohort
