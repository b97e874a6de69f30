// SPDX-License-Identifier: Apache-2.0
#include "launcher/remote/agent_stream.hpp"

#include <asio/post.hpp>
#include <utility>
#include <vector>

#include "launcher/remote/certificate.hpp"

namespace cohort {

namespace {

// Whether the stream's certificate is that of this host's agent: no agent may speak for another host.
bool is_agent_of(const grpc::AuthContext& caller, int host) {
  const std::vector<grpc::string_ref> names = caller.GetPeerIdentity();
  return names.size() == 1 && names.front() == agent_name(host);
}

// A call that is over before it has begun.
template <typename Request, typename Answer>
struct Over final : grpc::ServerBidiReactor<Request, Answer> {
  Over() { this->Finish(grpc::Status::OK); }
  void OnDone() override { delete this; }
};

}  // namespace

AgentStream::AgentStream(asio::io_context& loop, AgentStreamEvents& events, ControlService& service,
                         grpc::CallbackServerContext& context)
    : loop_(loop), events_(events), service_(service), context_(context) {
  const auto found = context.client_metadata().find(hello_key);
  v1::Attached hello;
  if (found != context.client_metadata().end() &&
      hello.ParseFromArray(found->second.data(), static_cast<int>(found->second.size())) &&
      is_agent_of(*context.auth_context(), hello.host())) {
    hello_ = std::move(hello);
  }
  asio::post(loop_, [this] {
    events_.stream_opened(*this);
    if (!finished_) read();
  });
}

void AgentStream::read() { StartRead(&incoming_); }

void AgentStream::send(const v1::ToHost& message) {
  if (finished_) return;
  const bool idle = outgoing_.empty();
  append_in_chunks(outgoing_, v1::ToHost(message));
  if (idle) write_next();
}

void AgentStream::write_next() {
  if (!finished_ && !outgoing_.empty()) StartWrite(&outgoing_.front());
}

void AgentStream::finish() {
  if (!std::exchange(finished_, true)) Finish(grpc::Status::OK);
}

void AgentStream::cut() {
  if (finished_) return;  // gRPC may have destroyed the context by now
  context_.TryCancel();
  finish();
}

void AgentStream::OnReadDone(bool good) {
  asio::post(loop_, [this, good] {
    if (finished_) return;
    if (!good) return broken();
    events_.stream_lives(*this);
    const Chunks::State state = chunks_.join(incoming_);
    if (state == Chunks::State::nonsense) return broken();
    if (state == Chunks::State::whole) events_.stream_heard(*this, std::exchange(incoming_, {}));
    if (!finished_) read();
  });
}

void AgentStream::OnWriteDone(bool good) {
  asio::post(loop_, [this, good] {
    outgoing_.pop_front();
    if (finished_) return;
    if (!good) return broken();
    write_next();
  });
}

// The loop has one thread, so all handlers posted earlier run before this one.
void AgentStream::OnDone() {
  asio::post(loop_, [this] {
    const std::unique_ptr<AgentStream> self = service_.release(*this);
    events_.stream_gone(*this);
  });
}

void AgentStream::broken() {
  events_.stream_broken(*this);
  finish();
}

void ControlService::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  for (const auto& [stream, owned] : streams_) stream->finish();
}

bool ControlService::idle() const {
  const std::lock_guard lock(mutex_);
  return streams_.empty();
}

std::unique_ptr<AgentStream> ControlService::release(AgentStream& stream) {
  const std::lock_guard lock(mutex_);
  return std::move(streams_.extract(&stream).mapped());
}

grpc::ServerBidiReactor<v1::FromHost, v1::ToHost>* ControlService::Attach(grpc::CallbackServerContext* context) {
  const std::lock_guard lock(mutex_);
  if (closed_) return new Over<v1::FromHost, v1::ToHost>;
  auto stream = std::make_unique<AgentStream>(loop_, events_, *this, *context);
  AgentStream* const reactor = stream.get();
  streams_.emplace(reactor, std::move(stream));
  return reactor;
}

grpc::ServerBidiReactor<v1::Nothing, v1::Nothing>* ControlService::Knock(grpc::CallbackServerContext*) {
  return new Over<v1::Nothing, v1::Nothing>;
}

}  // namespace cohort
