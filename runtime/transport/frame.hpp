// SPDX-License-Identifier: Apache-2.0
// Frames travel between two processes. Each is a header, followed by the payload that the header announces.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "cohort/types.hpp"
#include "collectives/small_vector.hpp"

namespace cohort {

// The type of a header: runtime/messages/frames.hpp, runtime/heard_frames.hpp. The payloads of the kinds from
// `failure` on are words.
enum class FrameKind : std::uint8_t {
  message,
  pull,
  discard,
  data,
  credit,  // only the credit that every header can carry
  presence,
  absence,
  failure,
  list,
  note,
  last_kind = note,
};

// Separates the messages of users, of collectives, of the set-up of groups, of the members' agreement on a collective
// (develop mode), and those of another interface itself (Letter::internal). No message travels in the channels behind
// the last one: `taken` holds messages that a probe has taken out of the queue.
enum class Channel : std::uint8_t {
  user,
  collective,
  setup,
  agreement,
  interface,
  last_channel = interface,
  taken,
  nowhere,
};

// The call that a collective's message belongs to, so that members that make different calls are told apart. In develop
// mode, a message of a channel also carries the type of its elements.
struct CallKind {
  Operation operation = Operation::send;
  std::int32_t argument = 0;  // the root, or how far a shift goes
  std::uint32_t type = 0;     // of the elements, and the operator: numbers of cohort/detail/elements.hpp
  std::uint32_t reduction = 0;

  friend auto operator<=>(const CallKind&, const CallKind&) = default;
};

// The fields of all kinds of frames. Each kind uses some of them.
struct FrameHeader {
  GroupId group{};
  std::uint64_t tag = 0;
  std::uint64_t length = 0;
  std::uint64_t offset = 0;    // only of kinds without types: on the wire it takes their place
  std::uint32_t transfer = 0;  // the sender's number of a message
  std::uint32_t payload = 0;   // bytes behind this header
  std::uint32_t credit = 0;    // bytes of credit that the frame's sender returns
  FrameKind kind = FrameKind::credit;
  Channel channel = Channel::user;
  CallKind call{};

  static constexpr std::size_t wire_size = 64;  // of a whole header; TCP sends fewer bytes, or more (tcp/headers.hpp)
  static constexpr std::size_t checksum_at = wire_size - 4;
  static constexpr std::byte whole_mark{0xc0};  // the first byte of a whole header; no shortened header begins with it
  // No header begins with this byte. It is reserved for a header with a stream and a sequence number, for links that
  // become sessions and survive their connections.
  static constexpr std::byte session_mark{0xc3};
};

using WireHeader = std::array<std::byte, FrameHeader::wire_size>;
// A header as TCP sends it: at most a whole header and as many zeros.
using TravellingHeader = std::array<std::byte, 2 * FrameHeader::wire_size>;

// Little-endian, with a checksum of the whole header.
void encode(const FrameHeader& header, WireHeader& wire);

// Nothing if the checksum, the kind or the channel is wrong: the bytes can't be trusted, and the link must fail.
std::optional<FrameHeader> decode(const WireHeader& wire);

// Why a link fails that brings a header which decode() or makes_sense() refuses.
inline constexpr const char* damaged_header = "it sent a damaged frame header (wrong checksum or kind)";

// Whether the fields with few values have one of them.
inline bool makes_sense(const FrameHeader& header) {
  return header.kind <= FrameKind::last_kind && header.channel <= Channel::last_channel &&
         header.call.operation <= Operation::last_operation;
}

using ConstBytes = std::span<const std::byte>;
using Bytes = std::span<std::byte>;

// Memory of a payload: pieces in this order.
struct ConstPiece {
  const std::byte* data = nullptr;
  std::size_t size = 0;
};
struct Piece {
  std::byte* data = nullptr;
  std::size_t size = 0;
};
using ConstPieces = SmallVector<ConstPiece, 2>;
using Pieces = SmallVector<Piece, 2>;

// An outgoing frame. It lives in its owner. Nobody moves or changes it from Transport::send until it has left.
struct OutgoingFrame {
  FrameHeader header;
  ConstPieces payload;            // header.payload bytes in all; unchanged until the frame has left
  void* owner = nullptr;          // for the handler
  OutgoingFrame* next = nullptr;  // for the transport
  TravellingHeader wire;
  std::size_t written = 0;  // for the transport; stays 0 where the peer reads the payload from this process's memory
};

}  // namespace cohort
