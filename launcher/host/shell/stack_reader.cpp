// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/shell/stack_reader.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <asio/post.hpp>
#include <cerrno>
#include <csignal>
#include <sstream>
#include <system_error>
#include <utility>

#include "launcher/host/environment.hpp"
#include "launcher/host/program.hpp"
#include "launcher/host/spawn.hpp"

namespace cohort {

namespace {

constexpr auto time_limit = std::chrono::seconds(10);
constexpr std::size_t longest = 1u << 20;  // bytes of the debugger's output
constexpr std::size_t longest_told = 64u << 10;

// The stacks in the debugger's output.
std::string stack_lines(const std::string& text) {
  std::istringstream lines(text);
  std::string kept;
  for (std::string line; std::getline(lines, line) && kept.size() < longest_told;) {
    if (line.starts_with("#") || line.starts_with("Thread ")) kept += line + "\n";
  }
  return kept;
}

}  // namespace

StackReader::StackReader(asio::io_context& loop, Reaper& reaper, Warden& warden, std::int64_t process,
                         std::function<void(std::string)> done)
    : loop_(loop), reaper_(reaper), warden_(warden), done_(std::move(done)), output_(loop), limit_(loop) {
  start(process);
}

StackReader::~StackReader() = default;

void StackReader::start(std::int64_t process) {
  SpawnOrder order;
  order.environment = environment_with({"DEBUGINFOD_URLS="});  // the debugger must not download debug information
  order.path = find_program("gdb", "/", value_of("PATH", order.environment)).path;
  if (order.path.empty()) return give_up("gdb is not installed there");
  order.arguments = {
      "gdb", "--nx", "--batch", "-ex", "thread apply all -ascending backtrace 64", "-p", std::to_string(process)};
  order.warden = warden_.descriptor();
  order.without_terminal = true;
  order.signals = signals_for_tools();
  std::array<int, 2> ends{};
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0 || ::pipe2(ends.data(), O_CLOEXEC) != 0) {
    if (nothing >= 0) ::close(nothing);
    return give_up(std::system_category().message(errno));
  }
  order.input = nothing;
  order.output = ends[1];
  order.error = nothing;
  std::string trouble;
  try {
    debugger_ = spawn(order);
  } catch (const std::system_error& error) {
    trouble = error.what();
  }
  ::close(nothing);
  ::close(ends[1]);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  output_.assign(ends[0]);
  if (debugger_ < 0) return give_up(trouble);
  reaper_.watch(debugger_, [&warden = warden_, debugger = debugger_](int) { warden.forget(debugger); });
  limit_.begin(time_limit, [this] { ::kill(-debugger_, SIGKILL); });  // this ends its output
  read();
}

void StackReader::read() {
  output_.async_wait(asio::posix::stream_descriptor::wait_read, [this](const asio::error_code& error) {
    if (error) return;
    std::array<char, 16384> chunk{};
    const ssize_t got = ::read(output_.native_handle(), chunk.data(), chunk.size());
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return end();
    if (got > 0 && text_.size() < longest) text_.append(chunk.data(), static_cast<std::size_t>(got));
    read();
  });
}

void StackReader::end() {
  limit_.cancel();
  const std::string lines = stack_lines(text_);
  done_(lines.empty() ? "(no stack: gdb may not look at it, or took too long)\n" : lines);
}

void StackReader::give_up(std::string reason) {
  asio::post(loop_, [this, reason = std::move(reason)] { done_("(no stack: " + reason + ")\n"); });
}

}  // namespace cohort
