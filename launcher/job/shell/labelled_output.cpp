// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/shell/labelled_output.hpp"
#include "launcher/printable.hpp"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <asio/post.hpp>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

namespace cohort {

namespace {

// How much one write() may take: a pipe that poll() reports as writable takes this much without blocking, a regular
// file takes any amount.
std::size_t step_of(int descriptor) {
  struct stat status {};
  const bool file = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  return file ? std::size_t{1} << 20 : PIPE_BUF;
}

}  // namespace

LabelledOutput::LabelledOutput(asio::io_context& loop, bool label, Handler handler)
    : loop_(loop), label_(label), handler_(std::move(handler)) {}

LabelledOutput::~LabelledOutput() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  drop();
  if (thread_.joinable()) thread_.join();
}

void LabelledOutput::write(int host, Pid pid, bool error, std::string block) {
  push({host, pid, error, std::move(block), nullptr});
}

void LabelledOutput::say(const std::string& text) { push({-1, -1, true, printable(text), nullptr}); }

void LabelledOutput::push(Block block) {
  const std::lock_guard lock(mutex_);
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });  // late: the processes must be forked before
  blocks_.push_back(std::move(block));
  news_.notify_one();
}

void LabelledOutput::when_written(std::function<void()> done) {
  const std::lock_guard lock(mutex_);
  if (!thread_.joinable()) return asio::post(loop_, std::move(done));
  blocks_.push_back({-1, 0, false, "", std::move(done)});
  news_.notify_one();
}

void LabelledOutput::drop() {
  const std::lock_guard lock(mutex_);
  drops_ = true;
  wake_.set();
  news_.notify_one();
}

void LabelledOutput::run() {
  for (;;) {
    Block block;
    bool dropped = false;
    {
      std::unique_lock lock(mutex_);
      news_.wait(lock, [this] { return ending_ || !blocks_.empty(); });
      if (blocks_.empty()) return;
      block = std::move(blocks_.front());
      blocks_.pop_front();
      dropped = drops_;
    }
    if (block.done) {
      asio::post(loop_, std::move(block.done));
      continue;
    }
    if (!dropped && !(output_closed_ && !block.error)) {
      const bool open = write_all(block.error ? STDERR_FILENO : STDOUT_FILENO,
                                  label_ && block.pid >= 0 ? labelled(block) : block.text);
      if (!open && !block.error) {
        output_closed_ = true;
        asio::post(loop_, handler_.closed);
      }
    }
    if (block.host < 0) continue;
    asio::post(loop_, [this, host = block.host, bytes = block.text.size()] { handler_.written(host, bytes); });
  }
}

std::string LabelledOutput::labelled(const Block& block) const {
  const std::string label = "[" + std::to_string(block.pid) + "] ";
  std::string result;
  for (std::string_view rest = block.text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    result += label;
    result += rest.substr(0, end);
    result += '\n';
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return result;
}

// Returns false if the reader is gone. Stops in the middle when the output is dropped.
bool LabelledOutput::write_all(int descriptor, const std::string& text) {
  const std::size_t step = step_of(descriptor);
  std::string_view rest = text;
  while (!rest.empty()) {
    std::array<pollfd, 2> entries{{{descriptor, POLLOUT, 0}, {wake_.descriptor(), POLLIN, 0}}};
    if (::poll(entries.data(), entries.size(), -1) < 0 && errno != EINTR) return false;
    if (entries[1].revents != 0) return true;
    if (entries[0].revents == 0) continue;
    const ssize_t count = ::write(descriptor, rest.data(), std::min(rest.size(), step));
    if (count >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR && errno != EAGAIN) {
      if (errno == EPIPE) return false;
      // Another error, such as a full disk, does not end the job. A failed write to standard error can't be reported.
      if (descriptor == STDOUT_FILENO && !lost_.exchange(true)) {
        ::dprintf(STDERR_FILENO, "cohort: standard output: %s; output is lost\n", std::strerror(errno));
      }
      return true;
    }
  }
  return true;
}

}  // namespace cohort
