// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/tcp/raw_peer.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <utility>

namespace cohort {
namespace {

FrameHeader header_of(std::uint64_t tag, std::size_t payload) {
  FrameHeader header;
  header.tag = tag;
  header.length = header.payload = static_cast<std::uint32_t>(payload);
  return header;
}

std::vector<std::byte> frame_of(const TravellingHeader& wire, std::uint64_t tag, std::size_t payload) {
  std::vector<std::byte> bytes(wire.data(), wire.data() + travelling_size(wire));
  for (std::size_t i = 0; i < payload; ++i) bytes.push_back(static_cast<std::byte>(tag + i));
  return bytes;
}

}  // namespace

RawPeer RawPeer::connect_to(std::uint16_t port) {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    throw std::runtime_error("cannot connect to port " + std::to_string(port));
  }
  const int on = 1;
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return RawPeer(descriptor);
}

RawPeer::RawPeer(RawPeer&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

RawPeer::~RawPeer() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void RawPeer::reset() {
  const linger at_once{1, 0};
  ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  ::close(std::exchange(descriptor_, -1));
}

bool RawPeer::write(ConstBytes bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

bool RawPeer::write_each_byte_alone(ConstBytes bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (!write(bytes.subspan(i, 1))) return false;
  }
  return true;
}

std::string RawPeer::read(std::size_t size) {
  std::string text;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (text.size() < size && std::chrono::steady_clock::now() < end) {
    pollfd entry{descriptor_, POLLIN, 0};
    if (::poll(&entry, 1, 100) <= 0) continue;
    std::string part(size - text.size(), '\0');
    const ssize_t result = ::recv(descriptor_, part.data(), part.size(), 0);
    if (result <= 0) break;
    text.append(part, 0, static_cast<std::size_t>(result));
  }
  return text;
}

std::vector<FrameHeader> RawPeer::read_frames(std::size_t count) {
  std::vector<FrameHeader> headers;
  while (headers.size() < count) {
    std::string wire = read(1);
    if (wire.empty()) break;
    const std::size_t size = travelling_size(static_cast<std::byte>(wire[0]));
    if (size == 0) break;
    wire += read(size - 1);
    const std::optional<FrameHeader> header = reader_.read(std::as_bytes(std::span(wire)));
    if (!header || read(header->payload).size() < header->payload) break;
    headers.push_back(*header);
  }
  return headers;
}

bool RawPeer::has_bytes() {
  char byte = 0;
  return ::recv(descriptor_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 1;
}

bool RawPeer::is_closed_within(int milliseconds) {
  pollfd entry{descriptor_, POLLIN, 0};
  if (::poll(&entry, 1, milliseconds) <= 0) return false;
  char byte = 0;
  return ::recv(descriptor_, &byte, 1, 0) <= 0;
}

std::optional<handshake::Verdict> RawPeer::greet(const Endpoints& job, Pid to, bool bytewise) {
  const auto put = [&](ConstBytes bytes) { return bytewise ? write_each_byte_alone(bytes) : write(bytes); };
  const handshake::Hello hello = handshake::make_hello(job, to, handshake::fresh_nonce());
  handshake::Challenge challenge;
  handshake::Answer answer;
  if (!put(hello) || !read_message(challenge)) return std::nullopt;
  if (!put(handshake::make_proof(job, hello, challenge)) || !read_message(answer)) return std::nullopt;
  return handshake::check_answer(job, hello, challenge, answer);
}

RawListener::RawListener(std::optional<int> queue) : descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
      (queue && ::listen(descriptor, *queue) != 0)) {
    throw std::runtime_error("cannot listen");
  }
  ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size);
  port = ntohs(address.sin_port);
}

RawListener::~RawListener() { ::close(descriptor); }

RawPeer RawListener::accept() const {
  pollfd entry{descriptor, POLLIN, 0};
  ::poll(&entry, 1, 10'000);
  const int accepted = ::accept4(descriptor, nullptr, nullptr, SOCK_CLOEXEC);
  if (accepted < 0) throw std::runtime_error("nobody connects");
  return RawPeer(accepted);
}

std::vector<std::byte> RawPeer::next_frame(std::uint64_t tag, std::size_t payload) {
  TravellingHeader wire;
  writer_.write(header_of(tag, payload), wire);
  return frame_of(wire, tag, payload);
}

std::vector<std::byte> frame_bytes(std::uint64_t tag, std::size_t payload) {
  return frame_of(whole_header(header_of(tag, payload)), tag, payload);
}

TravellingHeader whole_header(const FrameHeader& header) {
  WireHeader encoded;
  encode(header, encoded);
  TravellingHeader wire;
  HeaderWriter::write_whole(encoded, wire);
  return wire;
}

}  // namespace cohort
