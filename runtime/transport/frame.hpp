// What travels between two processes: frames, each a header and, behind it, the payload it announces.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "cohort/types.hpp"
#include "collectives/small_vector.hpp"

namespace cohort {

// Which type of runtime/messages/frames.hpp a header is of. Those from `failure` on have words as their payload.
enum class FrameKind : std::uint8_t {
  message,
  pull,
  discard,
  data,
  credit,  // nothing but the credit that every header can carry
  presence,
  absence,
  failure,
  list,
  note,
  last_kind = note,
};

// Keeps users' messages, collectives', the set-up of groups, and what members agree on before a collective (develop
// mode) apart. No message travels in `nowhere`.
enum class Channel : std::uint8_t { user, collective, setup, agreement, last_channel = agreement, nowhere };

// Which call a collective's message belongs to: members that make another one are told apart from members that make
// this one. In develop mode a message of a channel tells the type of its elements, too.
struct CallKind {
  Operation operation = Operation::send;
  std::int32_t argument = 0;  // the root, or how far a shift goes
  std::uint32_t type = 0;     // of the elements, and the operator: numbers of cohort/detail/elements.hpp
  std::uint32_t reduction = 0;

  friend auto operator<=>(const CallKind&, const CallKind&) = default;
};

// The fields of all kinds of frames. Each kind uses some of them (runtime/messages/frames.hpp).
struct FrameHeader {
  GroupId group{};
  std::uint64_t tag = 0;
  std::uint64_t length = 0;
  std::uint64_t offset = 0;    // of kinds that tell no types: on the wire this is their place
  std::uint32_t transfer = 0;  // the sender's number of a message
  std::uint32_t payload = 0;   // bytes behind this header
  std::uint32_t credit = 0;    // bytes of credit that the frame's sender gives back
  FrameKind kind = FrameKind::credit;
  Channel channel = Channel::user;
  CallKind call{};

  static constexpr std::size_t wire_size = 64;  // of all of it; over TCP less travels, or more (tcp/headers.hpp)
  static constexpr std::size_t checksum_at = wire_size - 4;
  static constexpr std::byte whole_mark{0xc0};  // its first byte, which no header has of which less travels
  // No header begins with this byte. It is kept for one behind a stream and a sequence number, when a link becomes a
  // session that survives its connection.
  static constexpr std::byte session_mark{0xc3};
};

using WireHeader = std::array<std::byte, FrameHeader::wire_size>;
// As TCP sends it: at most all of it, and as many zeros.
using TravellingHeader = std::array<std::byte, 2 * FrameHeader::wire_size>;

// Little-endian, with a checksum over all of it.
void encode(const FrameHeader& header, WireHeader& wire);

// Nothing if the checksum, the kind or the channel is wrong: the bytes can't be trusted, and the link must be failed.
std::optional<FrameHeader> decode(const WireHeader& wire);

using ConstBytes = std::span<const std::byte>;
using Bytes = std::span<std::byte>;

// Memory that a payload comes from or goes to, in this order.
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

// A frame on its way out. Lives in its owner; not moved or changed between Transport::send and the end of the sending.
struct OutgoingFrame {
  FrameHeader header;
  ConstPieces payload;            // header.payload bytes in all; the memory stays as it is until the frame is sent
  void* owner = nullptr;          // for the handler
  OutgoingFrame* next = nullptr;  // the transport's from here on
  TravellingHeader wire;
  std::size_t written = 0;
};

}  // namespace cohort
