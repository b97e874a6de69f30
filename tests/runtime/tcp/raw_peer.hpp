// SPDX-License-Identifier: Apache-2.0
// A socket that a test drives byte by byte: a stranger, or a process of the job that misbehaves.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/transport/tcp/handshake.hpp"
#include "runtime/transport/tcp/headers.hpp"

namespace cohort {

class RawPeer {
 public:
  static RawPeer connect_to(std::uint16_t port);
  explicit RawPeer(int descriptor) : descriptor_(descriptor) {}
  ~RawPeer();
  RawPeer(RawPeer&& other) noexcept;

  // Returns false if the other side has closed.
  bool write(ConstBytes bytes);
  bool write_each_byte_alone(ConstBytes bytes);

  // Closes so that the other side sees "connection reset".
  void reset();

  // Returns the bytes until `size` are there, the other side has closed, or 10 s have passed.
  std::string read(std::size_t size);
  template <class Message>
  bool read_message(Message& message) {
    const std::string text = read(message.size());
    if (text.size() < message.size()) return false;
    std::copy_n(reinterpret_cast<const std::byte*>(text.data()), text.size(), message.data());
    return true;
  }

  // The next frame with this payload: of its header travels what differs from the one before.
  std::vector<std::byte> next_frame(std::uint64_t tag, std::size_t payload);

  // The headers of so many frames, or of those that come before that; their payloads are dropped.
  std::vector<FrameHeader> read_frames(std::size_t count);

  bool has_bytes();

  // Whether the other side closes, without a word, within so many milliseconds.
  bool is_closed_within(int milliseconds);

  // The dialer's side of the handshake, as job.me. Returns the verdict, or nothing if it was refused.
  std::optional<handshake::Verdict> greet(const Endpoints& job, Pid to, bool bytewise = false);

 private:
  int descriptor_;
  HeaderWriter writer_;
  HeaderReader reader_;
};

// At the place of a process, on the loopback interface. Without a queue nobody listens: who connects is refused, and no
// other program gets the port.
struct RawListener {
  explicit RawListener(std::optional<int> queue);
  ~RawListener();
  RawListener(const RawListener&) = delete;

  RawPeer accept() const;

  const int descriptor;
  std::uint16_t port = 0;
};

TravellingHeader whole_header(const FrameHeader& header);
// A frame with this payload and a whole header.
std::vector<std::byte> frame_bytes(std::uint64_t tag, std::size_t payload);

}  // namespace cohort
