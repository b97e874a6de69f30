// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/shell/input.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <asio/post.hpp>
#include <cerrno>
#include <utility>

namespace cohort {

namespace {

constexpr std::size_t window = 1u << 20;
constexpr std::size_t largest_chunk = 128u << 10;
constexpr int look_again_ms = 200;  // in the background: until the next check for the foreground

// Reading a terminal from the background would stop the launcher.
bool in_background() {
  const pid_t foreground = ::tcgetpgrp(STDIN_FILENO);
  return foreground >= 0 && foreground != ::getpgrp();
}

}  // namespace

Input::Input(asio::io_context& loop, std::function<void(std::string)> chunk) : loop_(loop), chunk_(std::move(chunk)) {}

Input::~Input() {
  stop();
  if (thread_.joinable()) thread_.join();
}

void Input::start() {
  thread_ = std::thread([this] { run(); });
}

void Input::taken(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  on_the_way_ -= std::min(bytes, on_the_way_);
  news_.notify_one();
}

void Input::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  wake_.set();
  news_.notify_one();
}

void Input::run() {
  std::string buffer;
  while (const std::size_t room = wait_for_window()) {
    if (!wait_for_bytes()) return;
    buffer.resize(std::min(room, largest_chunk));
    const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    buffer.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    {
      const std::lock_guard lock(mutex_);
      on_the_way_ += buffer.size();
    }
    asio::post(loop_, [this, chunk = std::move(buffer)]() mutable { chunk_(std::move(chunk)); });
    if (got <= 0) return;
    buffer.clear();
  }
}

// Returns false once stop() was called, or if poll() fails.
bool Input::wait_for_bytes() {
  for (;;) {
    const bool hidden = in_background();
    std::array<pollfd, 2> entries{{{wake_.descriptor(), POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}}};
    if (::poll(entries.data(), hidden ? 1 : 2, hidden ? look_again_ms : -1) < 0) {
      if (errno != EINTR) return false;
      continue;
    }
    if (entries[0].revents != 0) return false;
    if (!hidden && entries[1].revents != 0 && !in_background()) return true;
  }
}

// How many bytes may be read now. 0 once stop() was called.
std::size_t Input::wait_for_window() {
  std::unique_lock lock(mutex_);
  news_.wait(lock, [this] { return stopped_ || on_the_way_ < window; });
  return stopped_ ? 0 : window - on_the_way_;
}

}  // namespace cohort
