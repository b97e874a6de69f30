// stub
#include <CLI/CLI.hpp>

#include "launcher/commands.hpp"
#include "launcher/remote_hosts.hpp"

namespace cohort {
void add_agent_command(CLI::App&, Action&) {}
std::unique_ptr<RemoteHosts> RemoteHosts::start(asio::io_context&, Reaper&, Warden&, HostEvents&, RemoteSettings) {
  return nullptr;
}
}  // namespace cohort
