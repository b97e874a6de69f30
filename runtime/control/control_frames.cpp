#include "runtime/control/control_frames.hpp"

#include <sys/socket.h>

#include <array>
#include <cerrno>

#include "cohort/error.hpp"

namespace cohort {

namespace {
constexpr std::size_t prefix_size = 4;
}

void append_frame(std::string& to, std::string_view body) {
  for (std::size_t i = 0; i < prefix_size; ++i) to.push_back(static_cast<char>((body.size() >> (8 * i)) & 0xff));
  to.append(body);
}

bool FrameReader::fill(int descriptor) {
  bytes_.erase(0, begin_);
  begin_ = 0;
  // At most one message of the longest kind is kept: a peer that floods waits in its own socket.
  while (bytes_.size() <= longest_ + prefix_size) {
    std::array<char, 16384> chunk;  // NOLINT: filled by recv
    const ssize_t got = ::recv(descriptor, chunk.data(), chunk.size(), MSG_DONTWAIT);
    if (got > 0) {
      bytes_.append(chunk.data(), static_cast<std::size_t>(got));
    } else if (got == 0) {
      return false;
    } else if (errno != EINTR) {
      return errno == EAGAIN || errno == EWOULDBLOCK;
    }
  }
  return true;
}

std::optional<std::string_view> FrameReader::next() {
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
  if (rest.size() < prefix_size + length) return std::nullopt;
  begin_ += prefix_size + length;
  return rest.substr(prefix_size, length);
}

}  // namespace cohort
