// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/shell/input_pipe.hpp"

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace cohort {

InputPipe::InputPipe(const asio::any_io_executor& executor, int descriptor, Taken taken)
    : pipe_(executor, descriptor), taken_(std::move(taken)) {}

void InputPipe::push(std::string data) {
  if (!pipe_.is_open()) return taken_(data.size(), true);
  unwritten_.push_back(std::move(data));
  if (!waiting_) write();
}

void InputPipe::close() {
  if (!pipe_.is_open()) return;
  asio::error_code ignored;
  pipe_.close(ignored);
  std::size_t dropped = 0;
  for (const std::string& chunk : unwritten_) dropped += chunk.size();
  dropped -= written_of_first_;
  unwritten_.clear();
  written_of_first_ = 0;
  taken_(dropped, true);
}

void InputPipe::write() {
  waiting_ = false;
  while (!unwritten_.empty()) {
    const std::string& chunk = unwritten_.front();
    if (chunk.empty()) return close();
    const ssize_t count =
        ::write(pipe_.native_handle(), chunk.data() + written_of_first_, chunk.size() - written_of_first_);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) {
      waiting_ = true;
      pipe_.async_wait(asio::posix::stream_descriptor::wait_write, [this](const asio::error_code& error) {
        if (!error) write();
      });
      return;
    }
    if (count < 0) return close();  // the process has ended, or reads no more
    written_of_first_ += static_cast<std::size_t>(count);
    if (written_of_first_ == chunk.size()) {
      unwritten_.pop_front();
      written_of_first_ = 0;
    }
    taken_(static_cast<std::size_t>(count), false);
  }
}

}  // namespace cohort
