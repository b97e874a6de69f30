// SPDX-License-Identifier: Apache-2.0
#include "launcher/remote/agent_stream.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "launcher/remote/grpc_settings.hpp"

namespace cohort {
namespace {

using std::chrono::seconds;

// A server, and an agent that calls it.
class Streams : public testing::Test, private AgentStreamEvents {
 protected:
  struct Call {
    explicit Call(grpc::Server& server)
        : stub(v1::Control::NewStub(server.InProcessChannel({}))), stream(stub->Attach(&context)) {}
    grpc::ClientContext context;
    std::unique_ptr<v1::Control::Stub> stub;
    std::unique_ptr<grpc::ClientReaderWriter<v1::FromHost, v1::ToHost>> stream;
  };

  Streams() {
    grpc::ServerBuilder builder;
    builder.RegisterService(&service_);
    server_ = builder.BuildAndStart();
  }

  // What the events do with the stream, each in its turn.
  std::function<void(AgentStream&)> when_broken = [](AgentStream&) {}, when_gone = [](AgentStream&) {};

  std::unique_ptr<Call> call() { return std::make_unique<Call>(*server_); }

  void until(const bool& happened) {
    while (!happened) ASSERT_EQ(loop_.run_one_for(seconds(60)), 1U);
  }

  // An agent that calls and goes away.
  void play() {
    const std::unique_ptr<Call> agent = call();
    until(opened_);
    agent->context.TryCancel();
    until(gone_);
  }

  // Returns when gRPC holds nothing of any call.
  void shut_down() { server_->Shutdown(deadline_after(std::chrono::nanoseconds(0))); }

 private:
  void stream_opened(AgentStream&) override { opened_ = true; }
  void stream_lives(AgentStream&) override {}
  void stream_heard(AgentStream&, v1::FromHost&&) override {}
  void stream_broken(AgentStream& stream) override { when_broken(stream); }
  void stream_gone(AgentStream& stream) override {
    when_gone(stream);
    gone_ = true;
  }

 protected:
  asio::io_context loop_;
  ControlService service_{loop_, *this};
  std::unique_ptr<grpc::Server> server_;
  bool opened_ = false, gone_ = false;

 private:
  asio::executor_work_guard<asio::io_context::executor_type> work_{loop_.get_executor()};
};

TEST_F(Streams, OneThatHasEndedMayStillBeCut) {
  when_gone = [&](AgentStream& stream) {
    shut_down();
    stream.cut();
    stream.send({});
    stream.finish();
  };
  play();
  EXPECT_TRUE(service_.idle());
}

TEST_F(Streams, OneThatBreaksMayBeCutMeanwhile) {
  when_broken = [](AgentStream& stream) { stream.cut(); };
  play();
}

// As where an exception has ended the loop: nothing that waits in it is played any more.
TEST_F(Streams, TheServerGoesThoughTheLoopHasEnded) {
  const std::unique_ptr<Call> opened = call();
  until(opened_);
  const std::unique_ptr<Call> waiting = call();
  service_.close();
  const std::unique_ptr<Call> late = call();
  shut_down();
  EXPECT_FALSE(service_.idle());
}

TEST_F(Streams, OnesThatComeAfterTheEndAreOver) {
  service_.close();
  const std::unique_ptr<Call> late = call();
  v1::ToHost message;
  EXPECT_FALSE(late->stream->Read(&message));
  EXPECT_TRUE(late->stream->Finish().ok());
  EXPECT_TRUE(service_.idle());
}

}  // namespace
}  // namespace cohort
