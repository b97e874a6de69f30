// SPDX-License-Identifier: Apache-2.0
// cohort agent: does the launcher's work on another host. The remote shell starts it, never a user.
#include <poll.h>
#include <unistd.h>

#include <asio/posix/stream_descriptor.hpp>
#include <asio/steady_timer.hpp>
#include <cstdlib>
#include <iostream>

#include "cohort/error.hpp"
#include "launcher/commands/commands.hpp"
#include "launcher/host/machine.hpp"
#include "launcher/host/memory_score.hpp"
#include "launcher/host/shell/host_shell.hpp"
#include "launcher/host/signal_settings.hpp"
#include "launcher/network/interfaces.hpp"
#include "launcher/remote/agent_session.hpp"
#include "launcher/remote/control_sockets.hpp"
#include "launcher/remote/grpc_settings.hpp"
#include "launcher/remote/pulse.hpp"
#include "launcher/remote/reach.hpp"
#include "runtime/control/control_frames.hpp"
#include "runtime/control/ports_message.hpp"

namespace cohort {

namespace {

constexpr int orders_limit_ms = 30'000;
constexpr std::size_t longest_orders = 1u << 20;

// Reads exactly so many bytes of standard input.
std::string read_exactly(std::size_t count) {
  std::string bytes(count, '\0');
  for (std::size_t have = 0; have < count;) {
    pollfd entry{STDIN_FILENO, POLLIN, 0};
    if (::poll(&entry, 1, orders_limit_ms) <= 0) throw Error(ErrorCode::job, "no orders came");
    const ssize_t got = ::read(STDIN_FILENO, bytes.data() + have, count - have);
    if (got <= 0) throw Error(ErrorCode::job, "standard input ended before the orders did");
    have += static_cast<std::size_t>(got);
  }
  return bytes;
}

v1::Orders read_orders() {
  std::size_t length = 0;
  const std::string prefix = read_exactly(4);
  for (std::size_t i = 0; i < 4; ++i) length |= std::size_t{static_cast<unsigned char>(prefix[i])} << (8 * i);
  if (length > longest_orders) throw Error(ErrorCode::job, "orders that make no sense");
  v1::Orders orders;
  if (!orders.ParseFromString(read_exactly(length))) throw Error(ErrorCode::job, "orders that make no sense");
  if (orders.authority().empty()) throw Error(ErrorCode::job, "orders of another version of cohort");
  return orders;
}

// Standard input holds nothing after the orders. If it has ended, the connection of the remote shell was dropped, and
// this agent must not take the place of its successor.
void expect_open_input() {
  char nothing = 0;
  pollfd entry{STDIN_FILENO, POLLIN, 0};
  if (::poll(&entry, 1, 0) > 0 && ::read(STDIN_FILENO, &nothing, 1) <= 0) {
    throw Error(ErrorCode::job, "standard input has ended: the launcher, or the way to it, has gone");
  }
}

// Calls `ended` at the end of standard input, which means that the launcher is gone.
void watch_input(asio::posix::stream_descriptor& input, const std::function<void()>& ended) {
  input.async_wait(asio::posix::stream_descriptor::wait_read, [&input, ended](const asio::error_code& error) {
    char nothing = 0;
    if (!error && ::read(input.native_handle(), &nothing, 1) > 0) return watch_input(input, ended);
    ended();
  });
}

// Tells the warden, five times per limit, that the agent lives. Without a limit, does nothing.
void reassure(Warden& warden, asio::steady_timer& timer, std::chrono::nanoseconds limit) {
  if (limit <= limit.zero()) return;
  warden.alive(limit);
  timer.expires_after(limit / 5);
  timer.async_wait([&warden, &timer, limit](const asio::error_code&) { reassure(warden, timer, limit); });
}

void serve(Warden& warden) {
  silence_grpc();
  const v1::Orders orders = read_orders();
  const Reached launcher = reach_launcher({orders.launcher().begin(), orders.launcher().end()},
                                          {orders.job(), orders.authority(), orders.certificate(), orders.key()});
  prepare_control_sockets(orders.host_limit());
  const std::string address =
      orders.interface().empty() ? launcher.own_address : address_of_interface(orders.interface());

  // The loop and the session are never destroyed, because gRPC's threads may still use them when the process exits.
  asio::io_context& loop = *new asio::io_context;
  std::string trouble;
  auto* session = new AgentSession(loop, launcher.channel, orders.host_limit(), [&](std::string what) {
    trouble = std::move(what);
    loop.stop();
  });
  Reaper reaper(loop);
  const Machine machine = this_machine();
  HostShell host(loop, reaper, warden, *session,
                 {orders.host(), orders.host_name(), {address, read(orders.ports())}, machine.cores});
  asio::posix::stream_descriptor input(loop, ::dup(STDIN_FILENO));
  watch_input(input, [&loop] { loop.stop(); });

  v1::Attached hello;
  hello.set_host(orders.host());
  hello.set_version(COHORT_VERSION);
  hello.set_address(address);
  hello.set_launcher(launcher.address);
  hello.set_boot(machine.boot);
  hello.set_processors(machine.processors);
  hello.set_cores(machine.cores);
  hello.set_limit(machine.limit);
  expect_open_input();
  session->open(host, hello);
  asio::steady_timer timer(loop);
  reassure(warden, timer, longest_silence(orders.host_limit()));
  loop.run();
  if (!trouble.empty()) throw Error(ErrorCode::job, trouble);
}

[[noreturn]] void run_agent() {
  int status = 0;
  take_signals();
  hide_memory();
  try {
    Warden warden;
    serve(warden);
  } catch (const std::exception& error) {
    std::cerr << "cohort agent: " + std::string(error.what()) + "\n";  // one write: agents may share standard error
    status = 1;
  }
  std::_Exit(status);  // without waiting for gRPC's threads, which may still use the session
}

}  // namespace

void add_agent_command(CliCommand app, Action& action) {
  const CliCommand command = app.add_subcommand("agent", "Started by cohort run on other hosts");
  command.hide();
  command.callback([&action] { action = []() -> int { run_agent(); }; });
}

}  // namespace cohort
