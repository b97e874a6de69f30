// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/shell/line_reader.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <utility>

namespace cohort {

namespace {
constexpr std::size_t longest_line = 16u << 20;
}

LineReader::LineReader(const asio::any_io_executor& executor, int descriptor, Handler handler)
    : stream_(executor, descriptor), handler_(std::move(handler)) {}

void LineReader::resume() {
  if (open() && !waiting_) wait();
}

void LineReader::close() {
  if (!open()) return;
  asio::error_code ignored;
  stream_.close(ignored);
  handler_.end();
}

void LineReader::wait() {
  if (!handler_.may_read()) return;
  waiting_ = true;
  stream_.async_wait(asio::posix::stream_descriptor::wait_read, [this](const asio::error_code& error) {
    waiting_ = false;
    if (!error) read();
  });
}

void LineReader::read() {
  std::array<char, 65536> chunk;  // NOLINT: filled by read
  const ssize_t got = ::read(stream_.native_handle(), chunk.data(), chunk.size());
  if (got > 0) {
    take(chunk.data(), static_cast<std::size_t>(got));
  } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
    if (!line_.empty()) handler_.block(std::exchange(line_, {}));
    close();
    return;
  }
  wait();
}

void LineReader::take(const char* bytes, std::size_t count) {
  const std::string_view news(bytes, count);
  const std::size_t newline = news.rfind('\n');
  if (newline == std::string_view::npos) {
    line_ += news;
    if (line_.size() >= longest_line) handler_.block(std::exchange(line_, {}));
    return;
  }
  std::string block = std::exchange(line_, std::string(news.substr(newline + 1)));
  block += news.substr(0, newline + 1);
  handler_.block(std::move(block));
}

}  // namespace cohort
