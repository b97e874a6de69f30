// SPDX-License-Identifier: Apache-2.0
#include "launcher/remote/remote_shell.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

#include "cohort/error.hpp"
#include "launcher/host/environment.hpp"
#include "launcher/host/program.hpp"
#include "launcher/host/spawn.hpp"

namespace cohort {

namespace {

constexpr std::size_t kept = 4096;  // bytes of the shell's output

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw Error(ErrorCode::job, std::string("a pipe for the remote shell: ") + std::strerror(errno));
  }
  return ends;
}

}  // namespace

RemoteShell::RemoteShell(asio::io_context& loop, Reaper& reaper, Warden& warden, Ended ended, Said said)
    : loop_(loop),
      reaper_(reaper),
      warden_(warden),
      ended_(std::move(ended)),
      said_(std::move(said)),
      input_(loop),
      output_(loop) {}

void RemoteShell::start(const std::vector<std::string>& command, const std::string& orders) {
  SpawnOrder order;
  order.environment = environment_with({"SSH_ASKPASS_REQUIRE=never"});  // ssh must not open a window for a password
  const ProgramFile file = find_program(command.front(), ".", value_of("PATH", order.environment));
  if (file.path.empty()) throw Error(ErrorCode::job, "cannot run '" + command.front() + "': " + file.reason);
  order.path = file.path;
  order.arguments = command;
  order.without_terminal = true;
  order.signals = signals_for_tools();
  order.warden = warden_.descriptor();
  order.descriptors = raise_descriptor_limit();

  const std::array<int, 2> input = make_pipe();
  const std::array<int, 2> output = make_pipe();
  order.input = input[0];
  order.output = output[1];
  order.error = output[1];
  try {
    process_ = spawn(order);
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::job, std::string("the remote shell: ") + error.what());
  }
  ::close(input[0]);
  ::close(output[1]);
  ::fcntl(input[1], F_SETFL, O_NONBLOCK);
  ::fcntl(output[0], F_SETFL, O_NONBLOCK);
  input_.assign(input[1]);
  output_.assign(output[0]);
  written_.clear();
  line_.clear();
  // The orders have a few kilobytes, which a new pipe takes at once. A write fails if the shell has ended already: its
  // exit is then reported.
  if (::write(input[1], orders.data(), orders.size()) < 0) close_input();
  read();
  reaper_.watch(process_, [this](int wait_status) {
    warden_.forget(process_);
    process_ = -1;
    close_input();
    for (std::array<char, 4096> chunk{}; output_.is_open();) {  // its last words
      const ssize_t got = ::read(output_.native_handle(), chunk.data(), chunk.size());
      if (got <= 0) break;
      heard({chunk.data(), static_cast<std::size_t>(got)});
    }
    asio::error_code ignored;
    output_.close(ignored);
    ended_(wait_status);
  });
}

void RemoteShell::close_input() {
  asio::error_code ignored;
  input_.close(ignored);
}

void RemoteShell::kill() {
  if (running()) ::kill(-process_, SIGKILL);
}

void RemoteShell::read() {
  output_.async_wait(asio::posix::stream_descriptor::wait_read, [this](const asio::error_code& error) {
    if (error) return;
    std::array<char, 4096> chunk{};
    const ssize_t got = ::read(output_.native_handle(), chunk.data(), chunk.size());
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return;
    heard({chunk.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))});
    read();
  });
}

void RemoteShell::heard(std::string_view chunk) {
  written_.append(chunk);
  if (written_.size() > 2 * kept) written_.erase(0, written_.size() - kept);
  line_.append(chunk);
  for (std::size_t end = 0; (end = line_.find('\n')) != std::string::npos; line_.erase(0, end + 1)) {
    said_(line_.substr(0, end));
  }
  if (line_.size() > kept) line_.clear();
}

std::string RemoteShell::last_words() const {
  std::string words = written_;
  while (!words.empty() && (words.back() == '\n' || words.back() == '\r')) words.pop_back();
  words.erase(std::remove(words.begin(), words.end(), '\r'), words.end());
  std::replace(words.begin(), words.end(), '\n', ' ');
  return words;
}

}  // namespace cohort
