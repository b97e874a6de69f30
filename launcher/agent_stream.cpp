#include "launcher/agent_stream.hpp"

#include <asio/post.hpp>
#include <utility>

namespace cohort {

AgentStream::AgentStream(asio::io_context& loop, AgentStreamEvents& events, grpc::CallbackServerContext& context)
    : loop_(loop), events_(events), context_(context) {
  const auto found = context.client_metadata().find(hello_key);
  v1::Attached hello;
  if (found != context.client_metadata().end() &&
      hello.ParseFromArray(found->second.data(), static_cast<int>(found->second.size()))) {
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
  outgoing_.push_back(message);
  if (outgoing_.size() == 1) write_next();
}

void AgentStream::write_next() {
  if (!finished_ && !outgoing_.empty()) StartWrite(&outgoing_.front());
}

void AgentStream::finish() {
  if (!std::exchange(finished_, true)) Finish(grpc::Status::OK);
}

void AgentStream::cut() {
  if (finished_) return;  // gRPC may have let go of the context by now
  context_.TryCancel();
  finish();
}

void AgentStream::OnReadDone(bool good) {
  asio::post(loop_, [this, good] {
    if (finished_) return;
    if (!good) return broken();
    events_.stream_heard(*this, std::exchange(incoming_, {}));
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

// All that was posted before has run by then: the loop has one thread.
void AgentStream::OnDone() {
  asio::post(loop_, [this] {
    events_.stream_gone(*this);
    delete this;
  });
}

void AgentStream::broken() {
  events_.stream_broken(*this);
  finish();
}

}  // namespace cohort
