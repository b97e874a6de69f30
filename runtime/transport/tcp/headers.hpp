// SPDX-License-Identifier: Apache-2.0
// How headers travel on a connection. Most of a header equals the one before it, and a whole header would take a slow
// network longer than a short message. So only the bytes that differ travel:
//
//   1 byte    how many bytes of this header travel, 6 to 63; its highest bit makes the number of its set bits even
//   1 byte    which of the header's eight words of eight bytes differ from those of the header before
//   ...       for each of these words: one byte that says which of its bytes differ, and these bytes' exclusive or
//   4 bytes   the checksum of the whole header
//
// A header that would not be shorter travels whole, as encode() made it, with 64 zeros after it. So does the header of
// a large payload, so that the reader knows where the payload begins before the header has arrived. The zeros are for
// the system. Its memory for data in flight begins with a page, and vectors mostly begin 0 to 64 bytes after the
// beginning of a page. Some processors copy slowly where the target lies 1 to 63 bytes further in its page than the
// source (docs/decisions/tcp_large_messages.md).
#pragma once

#include <optional>

#include "runtime/transport/frame.hpp"

namespace cohort {

// For one side of a connection, in the order in which the headers leave.
class HeaderWriter {
 public:
  static constexpr std::size_t large_payload = 16384;
  static constexpr std::size_t usual_size = 8;  // of a shortened header in a row of calls

  void write(const FrameHeader& header, TravellingHeader& wire);
  static void write_whole(const WireHeader& header, TravellingHeader& wire);

 private:
  WireHeader before_{};
};

// For the other side.
class HeaderReader {
 public:
  // Takes exactly the bytes that travelled. Nothing if they can't be trusted, as decode().
  std::optional<FrameHeader> read(ConstBytes bytes);

 private:
  WireHeader before_{};
};

// The number of bytes that a header takes, from its first byte; 0 if no header begins with it.
std::size_t travelling_size(std::byte first);
inline std::size_t travelling_size(const TravellingHeader& wire) { return travelling_size(wire.front()); }

}  // namespace cohort
