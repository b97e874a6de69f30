// SPDX-License-Identifier: Apache-2.0
#include "launcher/remote/reach.hpp"

#include <fmt/format.h>

#include <asio/connect.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/ssl.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <list>
#include <optional>
#include <utility>

#include "cohort/error.hpp"
#include "launcher/clock.hpp"
#include "launcher/remote/grpc_settings.hpp"
#include "proto/control.grpc.pb.h"
#include "runtime/attended_time.hpp"

namespace cohort {

namespace {

using asio::ip::tcp;

constexpr auto reach_limit = std::chrono::seconds(2);
constexpr auto head_start = std::chrono::seconds(1);  // of each address before the next one
constexpr auto handshake_limit = std::chrono::seconds(20);
constexpr auto look_interval = std::chrono::milliseconds(250);

tcp::endpoint endpoint_of(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  std::string ip = address.substr(0, colon);
  if (ip.front() == '[') ip = ip.substr(1, ip.size() - 2);
  return {asio::ip::make_address(ip), static_cast<std::uint16_t>(std::stoul(address.substr(colon + 1)))};
}

// Connects to `launcher`, and returns our own address on that route. Throws asio::system_error.
std::string address_that_reaches(const std::string& launcher) {
  asio::io_context loop;
  tcp::socket socket(loop);
  asio::error_code result = asio::error::timed_out;
  asio::steady_timer limit(loop, reach_limit);
  limit.async_wait([&](const asio::error_code& error) {
    if (!error) socket.close();
  });
  socket.async_connect(endpoint_of(launcher), [&](const asio::error_code& error) {
    if (socket.is_open()) result = error;
    limit.cancel();
  });
  loop.run();
  if (result) throw asio::system_error(result);
  return socket.local_endpoint().address().to_string();
}

// The job in the certificate that the listener shows to every client.
std::optional<std::uint64_t> job_shown_at(const std::string& address) {
  asio::io_context loop;
  asio::ssl::context context(asio::ssl::context::tls_client);  // checks no certificate
  asio::ssl::stream<tcp::socket> stream(loop, context);
  std::optional<std::uint64_t> job;
  stream.next_layer().async_connect(endpoint_of(address), [&](const asio::error_code& refused) {
    if (refused) return;
    stream.async_handshake(asio::ssl::stream_base::client, [&](const asio::error_code& error) {
      if (!error) job = job_of(*SSL_get0_peer_certificate(stream.native_handle()));
    });
  });
  loop.run_for(reach_limit);
  return job;
}

std::string describe_listener(const std::string& address, std::uint64_t own_job) {
  const std::string words = "something listens there, but it is not this job's launcher";
  const std::optional<std::uint64_t> job = job_shown_at(address);
  return job && *job != own_job ? fmt::format("{}: wrong job id (ours {}, theirs {})", words, own_job, *job) : words;
}

// Knocks at several addresses, and waits for the first answer.
class Knocks {
 public:
  ~Knocks() {
    for (Knock& knock : knocks_) knock.context->TryCancel();
    queue_.Shutdown();
    void* which = nullptr;
    for (bool good = false; queue_.Next(&which, &good);) {
    }
  }

  void add(Reached way) {
    Knock& knock = knocks_.emplace_back(std::move(way));
    ++open_;
    send(knock);
  }

  // Returns the first way on which the launcher answers within this limit, or nullptr. Returns early if no answer can
  // come any more. Only time in which this process runs counts. When hundreds of agents connect at once, the launcher
  // drops some late connections, even after the agent's handshake: the agent knocks again.
  Reached* answered(std::chrono::nanoseconds limit) {
    AttendedTime attended(2 * look_interval, Clock::now());
    for (; open_ > 0 && attended.now() < limit; attended.look(Clock::now())) {
      void* which = nullptr;
      bool good = false;
      if (queue_.AsyncNext(&which, &good, deadline_after(look_interval)) != grpc::CompletionQueue::GOT_EVENT) continue;
      auto& knock = *static_cast<Knock*>(which);
      if (!std::exchange(knock.begun, true)) {
        knock.call->Finish(&knock.status, &knock);
      } else if (knock.status.ok()) {
        return &knock.way;
      } else if (knock.status.error_code() == grpc::StatusCode::UNAVAILABLE) {
        send(knock);
      } else {
        --open_;
      }
    }
    return nullptr;
  }

 private:
  struct Knock {
    explicit Knock(Reached to) : way(std::move(to)), stub(v1::Control::NewStub(way.channel)) {}

    Reached way;
    std::unique_ptr<v1::Control::Stub> stub;
    std::unique_ptr<grpc::ClientContext> context{};
    std::unique_ptr<grpc::ClientAsyncReaderWriter<v1::Nothing, v1::Nothing>> call{};
    bool begun = false;
    grpc::Status status{};
  };

  void send(Knock& knock) {
    knock.call.reset();
    knock.context = std::make_unique<grpc::ClientContext>();
    knock.context->set_wait_for_ready(true);
    knock.call = knock.stub->PrepareAsyncKnock(knock.context.get(), &queue_);
    knock.begun = false;
    knock.call->StartCall(&knock);
  }

  grpc::CompletionQueue queue_;
  std::list<Knock> knocks_;
  int open_ = 0;
};

}  // namespace

Reached reach_launcher(const std::vector<std::string>& addresses, const Credentials& credentials) {
  Knocks knocks;
  std::vector<std::string> unreachable;  // by address: why it can't be reached, or empty
  for (const std::string& address : addresses) {
    std::string& reason = unreachable.emplace_back();
    try {
      std::string own = address_that_reaches(address);
      knocks.add({open_channel(address, credentials), address, std::move(own)});
    } catch (const std::exception& error) {
      reason = error.what();
    }
    const bool last = &address == &addresses.back();
    Reached* launcher = knocks.answered(last ? handshake_limit : head_start);
    if (launcher != nullptr) return std::move(*launcher);
  }
  std::string tried;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    tried += (tried.empty() ? "" : "; ") + addresses[i] + ": " +
             (unreachable[i].empty() ? describe_listener(addresses[i], credentials.job) : unreachable[i]);
  }
  throw Error(ErrorCode::job, "cannot reach the launcher; tried " + (tried.empty() ? "nothing" : tried) +
                                  ". Name a network that all hosts share with --interface");
}

}  // namespace cohort
