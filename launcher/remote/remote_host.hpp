// SPDX-License-Identifier: Apache-2.0
// One other host: the remote shell that starts its agent, the agent's stream, and the state of both.
#pragma once

#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>
#include <functional>
#include <iostream>
#include <optional>
#include <string>
#include <utility>

#include "launcher/clock.hpp"
#include "launcher/host/host.hpp"
#include "launcher/loop/limit.hpp"
#include "launcher/printable.hpp"
#include "launcher/remote/agent_stream.hpp"
#include "launcher/remote/pulse.hpp"
#include "launcher/remote/remote_hosts.hpp"
#include "launcher/remote/remote_shell.hpp"

namespace cohort {

class RemoteHost final : public Host {
 public:
  RemoteHost(RemoteHostName name_and_number, asio::io_context& loop, Reaper& reaper, Warden& warden,
             RemoteShell::Ended ended, double limit_s, std::function<void(RemoteHost&, double seconds)> silent)
      : id(std::move(name_and_number)),
        shell(loop, reaper, warden, std::move(ended), [this](const std::string& line) { pass_on(line); }),
        retry(loop),
        limit(loop),
        pulse(loop, limit_s,
              {[this] {
                 v1::ToHost message;
                 message.mutable_beat();
                 tell(message);
               },
               [this, silent = std::move(silent)](double seconds) { silent(*this, seconds); }}) {}

  void tell(const v1::ToHost& message) override {
    if (stream != nullptr) stream->send(message);
  }

  // Passes on a line of our library about a stranger that it refused. Other lines are from the remote shell: they are
  // shown only if no agent attaches.
  void pass_on(const std::string& line) const {
    const std::string ours = "cohort: ";
    if (line.starts_with(ours))
      std::cerr << printable(ours + "host " + id.name + ": " + line.substr(ours.size()) + "\n");
  }

  RemoteHostName id;
  RemoteShell shell;
  asio::steady_timer retry;
  Limit limit;  // for the agent to call back
  Pulse pulse;
  std::string unresolved;              // the resolver's reason, or empty
  std::optional<std::string> towards;  // the launcher's address on the route to this host
  AgentStream* stream = nullptr;
  Clock::time_point first_try;
  int tries = 0;
  bool starting = false;  // its shell counts among the starting shells
  bool told = false;      // the user knows that the host is tried again
  bool lost = false;
};

}  // namespace cohort
