// SPDX-License-Identifier: Apache-2.0
#include "launcher/remote/reach.hpp"

#include <gtest/gtest.h>

#include <array>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/write.hpp>
#include <atomic>
#include <chrono>
#include <list>
#include <thread>

#include "cohort/error.hpp"
#include "launcher/remote/agent_stream.hpp"
#include "launcher/remote/chunks.hpp"
#include "launcher/remote/grpc_settings.hpp"

namespace cohort {
namespace {

using asio::ip::tcp;

class NoEvents final : public AgentStreamEvents {
  void stream_opened(AgentStream&) override {}
  void stream_lives(AgentStream&) override {}
  void stream_heard(AgentStream&, v1::FromHost&&) override {}
  void stream_broken(AgentStream&) override {}
  void stream_gone(AgentStream&) override {}
};

void pass_on(tcp::socket& from, tcp::socket& to) {
  std::array<char, 4096> data{};
  asio::error_code error;
  while (const std::size_t got = from.read_some(asio::buffer(data), error)) {
    asio::write(to, asio::buffer(data, got), error);
  }
  to.shutdown(tcp::socket::shutdown_both, error);
}

// A way to a launcher, who drops so many that connect to it, and serves those that come later.
class Way {
 public:
  Way(int server_port, int dropped) : thread_([this, server_port, dropped] { serve(server_port, dropped); }) {}
  ~Way() {
    closing_ = true;
    tcp::socket(loop_).connect(acceptor_.local_endpoint());  // wakes it
    thread_.join();
    for (std::thread& direction : directions_) direction.join();
  }
  std::string address() const { return "127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()); }
  std::atomic<int> connections = 0;

 private:
  void serve(int server_port, int dropped) {
    for (;;) {
      tcp::socket agent = acceptor_.accept();
      if (closing_) return;
      if (++connections <= dropped) continue;
      tcp::socket& near = sockets_.emplace_back(std::move(agent));
      tcp::socket& far = sockets_.emplace_back(loop_);
      far.connect({asio::ip::address_v4::loopback(), static_cast<std::uint16_t>(server_port)});
      directions_.emplace_back([&near, &far] { pass_on(near, far); });
      directions_.emplace_back([&near, &far] { pass_on(far, near); });
    }
  }

  asio::io_context loop_;
  tcp::acceptor acceptor_{loop_, {asio::ip::address_v4::loopback(), 0}};
  std::list<tcp::socket> sockets_;
  std::list<std::thread> directions_;
  std::atomic<bool> closing_ = false;
  std::thread thread_;
};

// Serves, and shows that certificate.
class Launcher {
 public:
  explicit Launcher(const Credentials& credentials) {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", server_credentials(credentials), &port_);
    limit_messages(builder, longest_alone);
    builder.RegisterService(&service_);
    server_ = builder.BuildAndStart();
  }

  int port() const { return port_; }
  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

 private:
  int port_ = 0;
  asio::io_context loop_;
  NoEvents events_;
  ControlService service_{loop_, events_};
  std::unique_ptr<grpc::Server> server_;
};

class ReachingTheLauncher : public testing::Test {
 protected:
  const CertificateAuthority authority_{18};
  const Credentials own_ = authority_.issue(agent_name(1));
  const Launcher launcher_{authority_.issue(launcher_name)};
};

TEST_F(ReachingTheLauncher, WhoWasDroppedComesAgain) {
  Way way(launcher_.port(), 2);  // the first only learns whether the address can be reached
  {
    const Reached launcher = reach_launcher({way.address()}, own_);
    EXPECT_EQ(launcher.address, way.address());
    EXPECT_EQ(launcher.own_address, "127.0.0.1");
  }
  EXPECT_GE(way.connections, 3);
}

TEST_F(ReachingTheLauncher, TheNextAddressIsTriedWhereNobodyListens) {
  EXPECT_EQ(reach_launcher({"127.0.0.1:1", launcher_.address()}, own_).address, launcher_.address());
}

// Something listens, and says nothing.
struct Deaf {
  std::string address() const { return "127.0.0.1:" + std::to_string(acceptor.local_endpoint().port()); }
  asio::io_context loop;
  tcp::acceptor acceptor{loop, {asio::ip::address_v4::loopback(), 0}};
};

TEST_F(ReachingTheLauncher, ADeafAddressDoesNotHoldUpTheNextOne) {
  const Deaf deaf;
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(reach_launcher({deaf.address(), launcher_.address()}, own_).address, launcher_.address());
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(15));  // it would be heard out for 20
}

// It drops us once, and is back only when the next one's turn has come.
TEST_F(ReachingTheLauncher, AnEarlierAddressMayStillAnswer) {
  const Deaf deaf;
  Way way(launcher_.port(), 2);
  EXPECT_EQ(reach_launcher({way.address(), deaf.address()}, own_).address, way.address());
}

TEST_F(ReachingTheLauncher, AnAgentIsNoLauncherNorIsAnotherJobs) {
  for (const Credentials& shown : {authority_.issue(agent_name(2)), CertificateAuthority(17).issue(launcher_name)}) {
    const Launcher impostor(shown);
    EXPECT_EQ(reach_launcher({impostor.address(), launcher_.address()}, own_).address, launcher_.address());
  }
}

// Both are told.
TEST_F(ReachingTheLauncher, Case35AnotherJobsLauncher) {
  const Launcher other(CertificateAuthority(17).issue(launcher_name));
  try {
    reach_launcher({other.address()}, own_);
    FAIL() << "it is not ours";
  } catch (const Error& error) {
    const std::string words =
        ": something listens there, but it is not this job's launcher: wrong job id (ours 18, theirs 17)";
    EXPECT_NE(std::string(error.what()).find(other.address() + words), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace cohort
