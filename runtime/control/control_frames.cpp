// SPDX-License-Identifier: Apache-2.0
#include "runtime/control/control_frames.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "cohort/error.hpp"
#include "runtime/secret.hpp"

namespace cohort {

namespace {
constexpr std::size_t prefix_size = 4;
}

void append_frame(std::string& to, std::string_view body) {
  for (std::size_t i = 0; i < prefix_size; ++i) to.push_back(static_cast<char>((body.size() >> (8 * i)) & 0xff));
  to.append(body);
}

FrameReader::~FrameReader() {
  for (const int descriptor : descriptors_) ::close(descriptor);
}

std::vector<int> FrameReader::take_descriptors() { return std::exchange(descriptors_, {}); }

FrameReader::Got FrameReader::receive(int descriptor, std::size_t most) {
  std::array<char, 16384> chunk;                                                           // NOLINT: filled by recvmsg
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * most_descriptors)> attached;  // NOLINT: the same
  iovec memory{chunk.data(), std::min(most, chunk.size())};
  msghdr message{};
  message.msg_iov = &memory;
  message.msg_iovlen = 1;
  if (with_descriptors_) {
    message.msg_control = attached.data();
    message.msg_controllen = attached.size();
  }
  const ssize_t got = ::recvmsg(descriptor, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  for (cmsghdr* part = got >= 0 ? CMSG_FIRSTHDR(&message) : nullptr; part != nullptr;
       part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    const std::size_t before = descriptors_.size();
    descriptors_.resize(before + count);
    std::memcpy(descriptors_.data() + before, CMSG_DATA(part), count * sizeof(int));
  }
  if (got > 0) {
    bytes_.append(chunk.data(), static_cast<std::size_t>(got));
    wipe(chunk.data(), static_cast<std::size_t>(got));
    return Got::some;
  }
  if (got == 0) return Got::end;
  if (errno == EINTR) return Got::some;
  return errno == EAGAIN || errno == EWOULDBLOCK ? Got::nothing_yet : Got::end;
}

bool FrameReader::fill(int descriptor) {
  forget_taken();
  Got got = Got::some;
  // Keeps at most one message of the longest kind. Further bytes of a flooding peer wait in its socket.
  while (got == Got::some && bytes_.size() <= longest_ + prefix_size) got = receive(descriptor, longest_);
  return got != Got::end;
}

bool FrameReader::fill_one(int descriptor) {
  forget_taken();
  Got got = Got::some;
  while (got == Got::some && missing() > 0) got = receive(descriptor, missing());
  return got != Got::end;
}

std::optional<std::string_view> FrameReader::next() {
  const std::optional<std::size_t> size = length();
  if (!size || bytes_.size() - begin_ < prefix_size + *size) return std::nullopt;
  const std::string_view body = std::string_view(bytes_).substr(begin_ + prefix_size, *size);
  begin_ += prefix_size + *size;
  return body;
}

std::optional<std::size_t> FrameReader::length() const {
  const std::string_view rest = std::string_view(bytes_).substr(begin_);
  if (rest.size() < prefix_size) return std::nullopt;
  std::size_t length = 0;
  for (std::size_t i = 0; i < prefix_size; ++i) {
    length |= static_cast<std::size_t>(static_cast<unsigned char>(rest[i])) << (8 * i);
  }
  if (length > longest_) {
    throw Error(ErrorCode::job, "a control message claims " + std::to_string(length) + " bytes; the limit is " +
                                    std::to_string(longest_));
  }
  return length;
}

std::size_t FrameReader::missing() const {
  const std::size_t have = bytes_.size() - begin_;
  const std::size_t need = prefix_size + length().value_or(0);
  return need > have ? need - have : 0;
}

void FrameReader::forget_taken() {
  wipe(bytes_.data(), begin_);  // one of the messages holds the job's secret
  bytes_.erase(0, begin_);
  begin_ = 0;
}

}  // namespace cohort
