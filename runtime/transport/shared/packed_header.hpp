// SPDX-License-Identifier: Apache-2.0
// A frame's header in a record of a ring: 44 bytes, or 68 with the fields that a short whole message does not need. So
// such a message takes one line. Without a checksum: memory does not change on the way.
#pragma once

#include <cstring>
#include <span>

#include "runtime/transport/frame.hpp"

namespace cohort::shared {

namespace detail {

// Visits the fields in the order in which they are packed. `extended` is the last of the first four short ones.
template <class Header, class Visitor>
void for_each_field(Header& header, std::uint8_t& extended, Visitor&& visit) {
  visit(header.payload);
  visit(header.credit);
  visit(header.kind);
  visit(header.channel);
  visit(header.call.operation);
  visit(extended);
  visit(header.group.counter);
  visit(header.group.pid);
  visit(header.group.derivation);
  visit(header.tag);
  visit(header.call.type);
  visit(header.call.reduction);
}

template <class Header, class Visitor>
void for_each_further_field(Header& header, Visitor&& visit) {
  visit(header.length);
  visit(header.offset);
  visit(header.transfer);
  visit(header.call.argument);
}

}  // namespace detail

inline constexpr std::size_t short_header_size = 44;
inline constexpr std::size_t long_header_size = 68;

inline bool needs_long(const FrameHeader& header) {
  return header.length != header.payload || header.offset != 0 || header.transfer != 0 || header.call.argument != 0;
}
inline std::size_t packed_size(const FrameHeader& header) {
  return needs_long(header) ? long_header_size : short_header_size;
}

// Returns the end.
inline std::byte* pack(const FrameHeader& header, std::byte* to) {
  const auto put = [&to](const auto& field) {
    std::memcpy(to, &field, sizeof field);
    to += sizeof field;
  };
  std::uint8_t extended = needs_long(header) ? 1 : 0;
  detail::for_each_field(header, extended, put);
  if (extended != 0) detail::for_each_further_field(header, put);
  return to;
}

// Takes the header, which has its initial values, from the beginning of `content`. Returns whether it makes sense.
inline bool unpack(std::span<std::byte>& content, FrameHeader& header) {
  if (content.size() < short_header_size) return false;
  const std::byte* from = content.data();
  const auto get = [&from](auto& field) {
    std::memcpy(&field, from, sizeof field);
    from += sizeof field;
  };
  std::uint8_t extended = 0;
  detail::for_each_field(header, extended, get);
  if (extended != 0) {
    if (content.size() < long_header_size) return false;
    detail::for_each_further_field(header, get);
  } else {
    header.length = header.payload;
  }
  if (!makes_sense(header)) return false;
  content = content.subspan(extended != 0 ? long_header_size : short_header_size);
  return true;
}

}  // namespace cohort::shared
