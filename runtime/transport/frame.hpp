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

enum class FrameKind : std::uint8_t {
  message,   // the start of a message: all of it (payload == length), or the eager part of it
  pull,      // receiver to sender: a receive has met message `transfer`: send the rest
  discard,   // receiver to sender: nobody wants the rest of message `transfer`
  data,      // a part of the rest of message `transfer`, from `offset` on
  credit,    // nothing but the credit that every header can carry
  presence,  // the sender has waited for a while for a message in this group, in this call of a collective or channel
  absence,   // the sender will neither send nor receive in this group; `tag` is 1 if it leaves the job
  failure,   // the group has failed: `tag` is the ErrorCode, the payload the cause in words; `length` is 1 if only the
             // receiver is told, who then tells the other members; `transfer` is the pid of who is lost, plus 1, or 0
  list,      // develop mode: the sender has called group() with a list that holds the receiver; the payload says so
  note,      // develop mode: where the next message was sent from, in words; `tag`: after how many collectives of both
  last_kind = note,
};

// Keeps users' messages, collectives', the set-up of groups, and what members agree on before a collective (develop
// mode) apart.
enum class Channel : std::uint8_t { user, collective, setup, agreement, last_channel = agreement };

// Which call a collective's message belongs to: members that make another one are told apart from members that make
// this one. In develop mode a message of a channel tells the type of its elements, too.
struct CallKind {
  Operation operation = Operation::send;
  std::int32_t argument = 0;  // the root, or how far a shift goes
  std::uint32_t type = 0;     // of the elements, and the operator: numbers of cohort/detail/elements.hpp
  std::uint32_t reduction = 0;

  friend auto operator<=>(const CallKind&, const CallKind&) = default;
};

struct FrameHeader {
  GroupId group;
  std::uint64_t tag = 0;       // user: the tag; collective, agreement: the number of the call; setup: 0
  std::uint64_t length = 0;    // message: bytes of the whole message; presence: of the call
  std::uint64_t offset = 0;    // data: where in the message this payload belongs; failure: the pid whose mistake it is.
                               // These tell no types: on the wire this is their place
  std::uint32_t transfer = 0;  // message (partial), pull, discard, data: the sender's number of it
  std::uint32_t payload = 0;   // bytes behind this header
  std::uint32_t credit = 0;    // bytes of eager credit that the frame's sender gives back
  FrameKind kind = FrameKind::credit;
  Channel channel = Channel::user;
  CallKind call;

  static constexpr std::size_t wire_size = 64;  // of all of it; over TCP less travels, or more (tcp/headers.hpp)
  static constexpr std::size_t checksum_at = wire_size - 4;
  static constexpr std::byte whole_mark{0xc0};  // its first byte, which no header has of which less travels
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
