// SPDX-License-Identifier: Apache-2.0
#include "launcher/remote/agent_session.hpp"

#include <asio/post.hpp>
#include <csignal>
#include <utility>

#include "launcher/host/report.hpp"
#include "launcher/remote/agent_stream.hpp"

namespace cohort {

AgentSession::AgentSession(asio::io_context& loop, std::shared_ptr<grpc::Channel> channel, double host_limit_s,
                           std::function<void(std::string)> over)
    : loop_(loop),
      channel_(std::move(channel)),
      stub_(v1::Control::NewStub(channel_)),
      over_(std::move(over)),
      pulse_(loop, host_limit_s,
             {[this] {
                v1::FromHost message;
                message.mutable_beat();
                heard(0, std::move(message));
              },
              [this](double seconds) {
                end("nothing was heard of the launcher for " + in_words(seconds) + " (--host-limit)");
              }}) {}

void AgentSession::open(Host& host, const v1::Attached& hello) {
  host_ = &host;
  context_.AddMetadata(hello_key, hello.SerializeAsString());
  stub_->async()->Attach(&context_, this);
  AddHold();  // writes are started from the event loop
  StartCall();
  StartRead(&incoming_);
  pulse_.start();
}

void AgentSession::end(std::string trouble) {
  if (over_) std::exchange(over_, nullptr)(std::move(trouble));
}

void AgentSession::heard(int, v1::FromHost&& message) {
  const bool idle = outgoing_.empty();
  append_in_chunks(outgoing_, std::move(message));
  if (idle) StartWrite(&outgoing_.front());
}

void AgentSession::lost(int, const std::string&) {}  // a local host is never lost

void AgentSession::OnReadDone(bool good) {
  asio::post(loop_, [this, good] {
    if (!good) return end();
    pulse_.heard();
    const Chunks::State state = chunks_.join(incoming_);
    if (state == Chunks::State::nonsense) return end("the launcher has sent a message that makes no sense");
    if (incoming_.has_signal()) pulse_.pause(incoming_.signal().number() == SIGSTOP);  // the launcher also stops
    if (state == Chunks::State::whole) host_->tell(incoming_);
    incoming_.Clear();
    StartRead(&incoming_);
  });
}

void AgentSession::OnWriteDone(bool good) {
  asio::post(loop_, [this, good] {
    if (!good) return;  // the read fails too
    outgoing_.pop_front();
    if (!outgoing_.empty()) StartWrite(&outgoing_.front());
  });
}

}  // namespace cohort
