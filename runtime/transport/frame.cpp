// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/frame.hpp"

#include <bit>
#include <cassert>
#include <cstring>

#include "runtime/transport/landing.hpp"

namespace cohort {
namespace {

static_assert(std::endian::native == std::endian::little, "the wire format is written for little-endian machines");

constexpr std::size_t checksum_at = FrameHeader::checksum_at;

// Multiply-and-fold over 8-byte words: any flipped bit changes the result. The half word at the end goes into the last
// fold, because a fold of its own would delay every message.
std::uint32_t checksum(const WireHeader& wire) {
  constexpr std::uint64_t factor = 0xd6e8feb86659fd93u;
  constexpr std::size_t rest_at = checksum_at - 4;
  std::uint32_t rest = 0;
  std::memcpy(&rest, wire.data() + rest_at, sizeof rest);
  std::uint64_t hash = 0x9e3779b97f4a7c15u;
  for (std::size_t i = 0; i < rest_at; i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, wire.data() + i, 8);
    if (i + 8 == rest_at) word ^= rest * factor;
    hash = (hash ^ word) * factor;
    hash ^= hash >> 32;
  }
  return static_cast<std::uint32_t>(hash);
}

// Visits the fields in the order in which they travel, after the first byte; each is aligned to its size. A `const
// FrameHeader` is written, another one is read.
template <class Header, class Visitor>
void for_each_field(Header& header, Visitor&& visit) {
  visit(header.kind);
  visit(header.channel);
  visit(header.call.operation);
  visit(header.call.argument);
  visit(header.group.derivation);
  visit(header.tag);
  visit(header.length);
  if (header.kind == FrameKind::data || header.kind == FrameKind::failure) {
    visit(header.offset);
  } else {
    visit(header.call.type);
    visit(header.call.reduction);
  }
  visit(header.group.counter);
  visit(header.group.pid);
  visit(header.transfer);
  visit(header.payload);
  visit(header.credit);
}

}  // namespace

void encode(const FrameHeader& header, WireHeader& wire) {
  wire.front() = FrameHeader::whole_mark;
  std::byte* to = wire.data() + 1;
  for_each_field(header, [&](const auto& field) {
    std::memcpy(to, &field, sizeof field);
    to += sizeof field;
  });
  assert(to == wire.data() + checksum_at);
  const std::uint32_t check = checksum(wire);
  std::memcpy(wire.data() + checksum_at, &check, sizeof check);
}

std::optional<FrameHeader> decode(const WireHeader& wire) {
  std::uint32_t check = 0;
  std::memcpy(&check, wire.data() + checksum_at, sizeof check);
  if (check != checksum(wire)) return std::nullopt;
  FrameHeader header;
  const std::byte* from = wire.data() + 1;
  for_each_field(header, [&](auto& field) {
    std::memcpy(&field, from, sizeof field);
    from += sizeof field;
  });
  if (!makes_sense(header)) return std::nullopt;
  return header;
}

bool Landing::frame_arrived(Pid from, const FrameHeader& header, const std::byte* payload) {
  Pieces landing;
  if (!frame_begins(from, header, landing)) return false;
  for (const Piece& piece : landing) {
    if (piece.size > 0) std::memcpy(piece.data, payload, piece.size);
    payload += piece.size;
  }
  frame_ends(from, header);
  return true;
}

}  // namespace cohort
