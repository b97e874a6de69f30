// SPDX-License-Identifier: Apache-2.0
// RemoteHosts over gRPC: one server here, one agent for each host.

#include <algorithm>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>
#include <deque>
#include <iostream>
#include <map>

#include "cohort/error.hpp"
#include "launcher/host/endings.hpp"
#include "launcher/host/program.hpp"
#include "launcher/host/report.hpp"
#include "launcher/loop/limit.hpp"
#include "launcher/network/interfaces.hpp"
#include "launcher/printable.hpp"
#include "launcher/remote/agent_stream.hpp"
#include "launcher/remote/certificate.hpp"
#include "launcher/remote/control_sockets.hpp"
#include "launcher/remote/grpc_settings.hpp"
#include "launcher/remote/remote_host.hpp"
#include "launcher/remote/remote_hosts.hpp"
#include "launcher/remote/resolver.hpp"
#include "launcher/remote/shell_failure.hpp"
#include "launcher/remote/shell_words.hpp"
#include "runtime/control/control_frames.hpp"
#include "runtime/control/ports_message.hpp"

namespace cohort {

namespace {

constexpr auto connect_limit = std::chrono::seconds(30);
constexpr auto retry_limit = std::chrono::seconds(10);  // after a dropped connection, or for an unknown name
constexpr auto first_retry_after = std::chrono::milliseconds(100);  // doubles with each try
constexpr auto longest_retry_after = std::chrono::milliseconds(1'000);
constexpr auto close_limit = std::chrono::seconds(2);
constexpr std::size_t most_addresses = 8;  // that an agent tries

class GrpcRemoteHosts final : public RemoteHosts, private AgentStreamEvents {
 public:
  GrpcRemoteHosts(asio::io_context& loop, Reaper& reaper, Warden& warden, HostListener& events, RemoteSettings settings)
      : loop_(loop), events_(events), settings_(std::move(settings)), service_(loop, *this), close_limit_(loop) {
    tell_of_strangers();
    if (!settings_.interface.empty()) own_address_ = address_of_interface(settings_.interface);
    std::vector<std::string> names;
    for (const RemoteHostName& id : settings_.hosts) {
      RemoteHost& host =
          *hosts_
               .emplace(id.number,
                        std::make_unique<RemoteHost>(
                            id, loop, reaper, warden,
                            [this, number = id.number](int status) { shell_ended(*hosts_.at(number), status); },
                            settings_.host_limit_s,
                            [this](RemoteHost& silent, double seconds) { fall_silent(silent, seconds); }))
               .first->second;
      names.push_back(host.id.name);
    }
    resolve_all(loop, names, [this](const std::vector<Resolved>& answers) { serve(answers); });
  }

  ~GrpcRemoteHosts() override {
    service_.close();  // streams are still open if an exception ended the loop
    if (server_) server_->Shutdown(deadline_after(std::chrono::nanoseconds(0)));
  }

  Host& host(int number) override { return *hosts_.at(number); }
  std::string own_address() const override { return own_address_; }

  void close(std::function<void()> closed) override {
    closed_ = std::move(closed);
    for (auto& [number, host] : hosts_) {
      host->retry.cancel();
      host->limit.cancel();
      host->pulse.stop();
      host->shell.close_input();
    }
    service_.close();
    close_limit_.begin(close_limit, [this] {
      for (auto& [number, host] : hosts_) host->shell.kill();
      close_limit_.begin(close_limit, closed_);  // does not wait for an unkillable shell or a stopped agent
    });
    closed_if_all_gone();
  }

 private:
  // --- before the agents attach

  void serve(const std::vector<Resolved>& answers) {
    if (closed_) return;
    std::vector<std::string> addresses;
    const auto add = [&](const std::string& address) {
      if (std::find(addresses.begin(), addresses.end(), address) == addresses.end()) addresses.push_back(address);
    };
    std::size_t i = 0;
    bool all_routed = true;
    for (auto& [number, host] : hosts_) {
      const Resolved& answer = answers[i++];
      host->unresolved = answer.error;
      for (const std::string& address : answer.addresses) {
        if (!host->towards) host->towards = address_towards(address);
      }
      if (host->towards) add(*host->towards);
      all_routed = all_routed && host->towards;
    }
    if (!settings_.interface.empty()) {
      addresses = {own_address_};
    } else if (!all_routed) {  // the remote shell may know names that the resolver does not: offer all addresses
      for (const std::string& address : own_addresses()) add(address);
    }
    listen(addresses);
    for (auto& [number, host] : hosts_) waiting_.push_back(host.get());
    start_shells(began_);
  }

  void listen(const std::vector<std::string>& candidates) {
    std::vector<std::string> addresses;  // if one address fails, gRPC serves none
    std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(addresses), can_listen_on);
    const auto [first, last] = settings_.ports;
    for (int port = first; !addresses.empty() && listening_.empty() && port <= last; ++port) listen(addresses, port);
    if (!listening_.empty()) return;
    std::string tried;
    for (const std::string& address : candidates) tried += (tried.empty() ? "" : ", ") + address;
    if (tried.empty()) tried = "none: this host has no address";
    if (last > 0) tried += "; ports " + std::to_string(first) + " to " + std::to_string(last);
    throw Error(ErrorCode::job, "cannot listen for the agents of the other hosts; tried " + tried);
  }

  // Listens at this port of each address, or at any free port if `port` is 0.
  void listen(const std::vector<std::string>& addresses, int port) {
    grpc::ServerBuilder builder;
    std::vector<int> ports(addresses.size(), 0);
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      builder.AddListeningPort(with_port(addresses[i], port), server_credentials(own_), &ports[i]);
    }
    limit_messages(builder, longest_alone);
    builder.RegisterService(&service_);
    server_ = builder.BuildAndStart();
    prepare_control_sockets(settings_.host_limit_s);
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      if (server_ && ports[i] > 0) listening_.push_back({addresses[i], with_port(addresses[i], ports[i])});
    }
  }

  // Starts shells until `shells_at_once` are starting. Their retry limit counts from `since`: for the first shells, the
  // begin of the job.
  void start_shells(Clock::time_point since = Clock::now()) {
    for (; starting_ < settings_.shells_at_once && !waiting_.empty(); waiting_.pop_front()) {
      RemoteHost& host = *waiting_.front();
      host.starting = true;
      ++starting_;
      if (host.tries++ == 0) {
        host.first_try = since;
        host.limit.begin(connect_limit, [this, &host] { on_connect_limit(host); });
      }
      start_shell(host);
    }
  }

  // The host's shell no longer counts among the starting shells, so another one may start.
  void settled(RemoteHost& host) {
    if (!std::exchange(host.starting, false)) return;
    --starting_;
    asio::post(loop_, [this] {
      if (!closed_) start_shells();
    });
  }

  void start_shell(RemoteHost& host) {
    v1::Orders orders;
    for (const Listening& entry : listening_) {
      if (entry.address == host.towards) orders.add_launcher(entry.with_port);
    }
    for (const Listening& entry : listening_) {
      if (entry.address != host.towards && orders.launcher_size() < static_cast<int>(most_addresses)) {
        orders.add_launcher(entry.with_port);
      }
    }
    const Credentials credentials = authority_.issue(agent_name(host.id.number));
    orders.set_job(credentials.job);
    orders.set_authority(credentials.authority);
    orders.set_certificate(credentials.certificate);
    orders.set_key(credentials.key);
    orders.set_host(host.id.number);
    orders.set_host_name(host.id.name);
    orders.set_interface(settings_.interface);
    orders.set_host_limit(settings_.host_limit_s);
    write(settings_.ports, *orders.mutable_ports());
    std::string frame;
    append_frame(frame, orders.SerializeAsString());

    std::vector<std::string> command = settings_.remote_shell;
    command.push_back(host.id.name);
    command.push_back(quote(own_path()) + " agent");
    try {
      host.shell.start(command, frame);
    } catch (const Error& error) {
      lose(host, error.what());
    }
  }

  void shell_ended(RemoteHost& host, int wait_status) {
    if (closed_) return closed_if_all_gone();
    settled(host);
    if (host.stream != nullptr || host.lost) return;  // the stream reports the host's end
    const std::string words = host.shell.last_words();
    std::string cause = "no agent could be started there" +
                        (host.tries > 1 ? " in " + std::to_string(host.tries) + " tries" : "") +
                        ": the remote shell (" + settings_.remote_shell.front() + ") " + describe_ending(wait_status) +
                        (words.empty() ? "" : ": " + words);
    if (!host.unresolved.empty()) {
      cause += " (the name does not resolve here: " + host.unresolved + others_unresolved(host) + ")";
    }
    const ShellFailure failure = shell_failure(wait_status, words);
    const bool again =
        failure == ShellFailure::dropped || (failure == ShellFailure::unknown && !host.unresolved.empty());
    const auto left = host.first_try + retry_limit - Clock::now();
    if (again && left > left.zero()) return try_again(host, cause, left);
    lose(host, cause);
  }

  // Warns of every name that can't be resolved, because a user corrects them together. Of dropped connections, warns
  // only of the first.
  void try_again(RemoteHost& host, const std::string& cause, Clock::duration left) {
    const bool told = host.unresolved.empty() ? std::exchange(drop_told_, true) : std::exchange(host.told, true);
    if (!told) {
      std::cerr << printable("cohort: warning: host " + host.id.name + ": " + cause + "; trying again for up to " +
                             std::to_string(std::chrono::ceil<std::chrono::seconds>(left).count()) + " s\n");
    }
    // The back-off differs between hosts, so that connections that were dropped together are not retried together.
    const auto wait =
        std::min<Clock::duration>(first_retry_after * (1 << std::min(host.tries - 1, 10)), longest_retry_after);
    host.retry.expires_after(std::min(left, wait * (8 + host.id.number % 5) / 10));
    host.retry.async_wait([this, &host](const asio::error_code& error) {
      if (error || closed_ || host.lost) return;
      waiting_.push_front(&host);
      start_shells();
    });
  }

  // The other names that can't be resolved. The first lost host ends the job, so its message lists them too.
  std::string others_unresolved(const RemoteHost& host) const {
    std::string names;
    for (const auto& [number, other] : hosts_) {
      if (other.get() == &host || other->unresolved.empty() || other->stream != nullptr) continue;
      names += (names.empty() ? "; unresolved too: " : ", ") + other->id.name;
    }
    return names;
  }

  void on_connect_limit(RemoteHost& host) {
    if (host.stream != nullptr || host.lost) return;
    const std::string words = host.shell.last_words();
    lose(host, "its agent has not called back within 30 s" +
                   (words.empty() ? "; does the remote shell ask for something?" : ": " + words));
  }

  void lose(RemoteHost& host, const std::string& cause) {
    if (std::exchange(host.lost, true)) return;
    settled(host);
    asio::post(loop_, [this, number = host.id.number, cause] { events_.lost(number, cause); });
  }

  // --- the agents' streams

  void stream_opened(AgentStream& stream) override {
    const auto found = stream.hello() ? hosts_.find(stream.hello()->host()) : hosts_.end();
    if (closed_ || found == hosts_.end() || found->second->stream != nullptr || found->second->lost) {
      return stream.finish();
    }
    RemoteHost& host = *found->second;
    const v1::Attached& hello = *stream.hello();
    if (hello.version() != COHORT_VERSION) {
      lose(host, "cohort there is of version " + hello.version() + ", here of version " COHORT_VERSION);
      return stream.finish();
    }
    for (const Listening& entry : listening_) {
      if (own_address_.empty() && entry.with_port == hello.launcher()) own_address_ = entry.address;
    }
    stream.host = found->first;
    host.stream = &stream;
    host.limit.cancel();
    host.pulse.start();
    settled(host);
    v1::FromHost message;
    *message.mutable_attached() = hello;
    events_.heard(stream.host, std::move(message));
  }

  void stream_lives(AgentStream& stream) override { hosts_.at(stream.host)->pulse.heard(); }

  void stream_heard(AgentStream& stream, v1::FromHost&& message) override {
    if (!message.has_attached()) events_.heard(stream.host, std::move(message));
  }

  void fall_silent(RemoteHost& host, double seconds) {
    lose(host, "nothing was heard of it for " + in_words(seconds) + " (--host-limit)");
    if (host.stream != nullptr) host.stream->cut();
  }

  void stream_broken(AgentStream& stream) override {
    if (stream.host < 0 || closed_) return;
    hosts_.at(stream.host)->pulse.stop();
    lose(*hosts_.at(stream.host), "its agent has ended, or can't be reached any more");
  }

  void stream_gone(AgentStream& stream) override {
    if (stream.host >= 0) hosts_.at(stream.host)->stream = nullptr;
    if (closed_) closed_if_all_gone();
  }

  void closed_if_all_gone() {
    if (!service_.idle()) return;
    for (const auto& [number, host] : hosts_) {
      if (host->shell.running()) return;
    }
    close_limit_.cancel();
    closed_();
  }

  struct Listening {
    std::string address;
    std::string with_port;
  };

  asio::io_context& loop_;
  HostListener& events_;
  RemoteSettings settings_;
  const CertificateAuthority authority_{settings_.job};
  const Credentials own_ = authority_.issue(launcher_name);
  std::map<int, std::unique_ptr<RemoteHost>> hosts_;
  std::vector<Listening> listening_;
  std::string own_address_;
  ControlService service_;
  std::unique_ptr<grpc::Server> server_;
  const Clock::time_point began_ = Clock::now();
  std::deque<RemoteHost*> waiting_;  // hosts whose shells are still to be started
  int starting_ = 0;                 // shells that are starting
  bool drop_told_ = false;
  Limit close_limit_;
  std::function<void()> closed_;  // set when closing
};

}  // namespace

std::unique_ptr<RemoteHosts> RemoteHosts::start(asio::io_context& loop, Reaper& reaper, Warden& warden,
                                                HostListener& events, RemoteSettings settings) {
  return std::make_unique<GrpcRemoteHosts>(loop, reaper, warden, events, std::move(settings));
}

}  // namespace cohort
