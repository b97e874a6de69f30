#include "launcher/agent_stream.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace cohort {
namespace {

using std::chrono::seconds;

// A server, and an agent that calls it and goes away.
class Streams : public testing::Test, private AgentStreamEvents {
 protected:
  Streams() {
    grpc::ServerBuilder builder;
    builder.RegisterService(&service_);
    server_ = builder.BuildAndStart();
  }

  // What the events do with the stream, each in its turn.
  std::function<void(AgentStream&)> when_broken = [](AgentStream&) {}, when_gone = [](AgentStream&) {};

  void play() {
    grpc::ClientContext context;
    const auto stub = v1::Control::NewStub(server_->InProcessChannel({}));
    const auto call = stub->Attach(&context);
    const auto work = asio::make_work_guard(loop_);
    const auto until = [&](const bool& happened) {
      while (!happened) ASSERT_EQ(loop_.run_one_for(seconds(60)), 1U);
    };
    until(opened_);
    context.TryCancel();
    until(gone_);
  }

  // Returns when gRPC holds nothing of any call.
  void shut_down() { server_->Shutdown(std::chrono::system_clock::now()); }

 private:
  void stream_opened(AgentStream&) override { opened_ = true; }
  void stream_heard(AgentStream&, v1::FromHost&&) override {}
  void stream_broken(AgentStream& stream) override { when_broken(stream); }
  void stream_gone(AgentStream& stream) override {
    when_gone(stream);
    gone_ = true;
  }

  asio::io_context loop_;
  ControlService service_{loop_, *this};
  std::unique_ptr<grpc::Server> server_;
  bool opened_ = false, gone_ = false;
};

TEST_F(Streams, OneThatHasEndedMayStillBeCut) {
  when_gone = [&](AgentStream& stream) {
    shut_down();
    stream.cut();
    stream.send({});
    stream.finish();
  };
  play();
}

TEST_F(Streams, OneThatBreaksMayBeCutMeanwhile) {
  when_broken = [](AgentStream& stream) { stream.cut(); };
  play();
}

}  // namespace
}  // namespace cohort
