// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/shell/process_link.hpp"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "cohort/error.hpp"
#include "proto/process.pb.h"

namespace cohort {

SharedFrame make_frame(const process::v1::ToProcess& message) {
  auto frame = std::make_shared<std::string>();
  append_frame(*frame, message.SerializeAsString());
  return frame;
}

ProcessLink::ProcessLink(const asio::any_io_executor& executor, int descriptor, Handler handler)
    : socket_(executor, descriptor), handler_(std::move(handler)) {}

void ProcessLink::send(SharedFrame frame) { send(std::move(frame), {}); }

void ProcessLink::send(SharedFrame frame, std::span<const int> descriptors) {
  if (!socket_.is_open()) return;
  unsent_.push_back({std::move(frame), descriptors});
  if (!writing_) write();
}

void ProcessLink::close() {
  asio::error_code ignored;
  socket_.close(ignored);
}

void ProcessLink::wait_to_read() {
  socket_.async_wait(asio::posix::stream_descriptor::wait_read, [this](const asio::error_code& error) {
    if (error) return;
    read();
    if (socket_.is_open()) wait_to_read();
  });
}

void ProcessLink::read() {
  if (!socket_.is_open()) return;
  const bool open = frames_.fill(socket_.native_handle());
  try {
    while (const std::optional<std::string_view> body = frames_.next()) {
      process::v1::FromProcess message;
      if (!message.ParseFromArray(body->data(), static_cast<int>(body->size()))) {
        throw Error(ErrorCode::job, "a control message that makes no sense");
      }
      handler_.heard(message);
    }
  } catch (const Error& error) {
    close();
    handler_.nonsense(error.what());
    return;
  }
  if (open) return;
  close();
  handler_.closed();
}

// Descriptors travel with the first byte.
ssize_t ProcessLink::send_next() {
  const Unsent& next = unsent_.front();
  iovec memory{const_cast<char*>(next.frame->data()) + sent_of_first_, next.frame->size() - sent_of_first_};
  msghdr message{};
  message.msg_iov = &memory;
  message.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * most_descriptors)> attached{};
  if (!next.descriptors.empty() && sent_of_first_ == 0) {
    message.msg_control = attached.data();
    message.msg_controllen = CMSG_SPACE(next.descriptors.size_bytes());
    cmsghdr& part = *CMSG_FIRSTHDR(&message);
    part.cmsg_level = SOL_SOCKET;
    part.cmsg_type = SCM_RIGHTS;
    part.cmsg_len = CMSG_LEN(next.descriptors.size_bytes());
    std::memcpy(CMSG_DATA(&part), next.descriptors.data(), next.descriptors.size_bytes());
  }
  return ::sendmsg(socket_.native_handle(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

void ProcessLink::write() {
  writing_ = false;
  while (!unsent_.empty()) {
    const std::string& frame = *unsent_.front().frame;
    const ssize_t sent = send_next();
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      writing_ = true;
      socket_.async_wait(asio::posix::stream_descriptor::wait_write, [this](const asio::error_code& error) {
        if (!error) write();
      });
      return;
    }
    if (sent < 0) {  // the process has closed the link; its last messages are still to be read
      unsent_.clear();
      sent_of_first_ = 0;
      return;
    }
    sent_of_first_ += static_cast<std::size_t>(sent);
    if (sent_of_first_ == frame.size()) {
      unsent_.pop_front();
      sent_of_first_ = 0;
    }
  }
}

}  // namespace cohort
