// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/tcp/headers.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace cohort {
namespace {

constexpr std::size_t word_size = 8;
constexpr std::size_t words = FrameHeader::wire_size / word_size;

constexpr std::size_t checksum_size = FrameHeader::wire_size - FrameHeader::checksum_at;
constexpr std::size_t least_size = 2 + checksum_size;
constexpr std::byte parity{0x80};

std::uint64_t word(const WireHeader& header, std::size_t index) {
  std::uint64_t value = 0;
  std::memcpy(&value, header.data() + index * word_size, index + 1 < words ? word_size : word_size - checksum_size);
  return value;
}

bool even(std::byte byte) { return std::popcount(std::to_integer<unsigned>(byte)) % 2 == 0; }
bool has(std::byte bits, std::size_t bit) { return (bits >> bit & std::byte{1}) != std::byte{0}; }

// Writes the difference of a header from the header before it. Returns false if that is not shorter than a whole
// header.
bool shorten(const WireHeader& before, const WireHeader& header, TravellingHeader& wire) {
  static_assert(2 + words + FrameHeader::wire_size + checksum_size <= sizeof wire);
  std::size_t size = 2;
  std::byte differing_words{0};
  for (std::size_t i = 0; i < words; ++i) {
    std::uint64_t difference = word(before, i) ^ word(header, i);
    if (difference == 0) continue;
    differing_words |= std::byte{1} << i;
    std::byte& differing_bytes = wire[size++];
    differing_bytes = std::byte{0};
    for (std::size_t bit = 0; difference != 0; ++bit, difference >>= 8) {
      if ((difference & 0xff) == 0) continue;
      differing_bytes |= std::byte{1} << bit;
      wire[size++] = static_cast<std::byte>(difference);
    }
  }
  std::copy_n(header.data() + FrameHeader::checksum_at, checksum_size, wire.data() + size);
  size += checksum_size;
  wire[0] = static_cast<std::byte>(size);
  if (!even(wire[0])) wire[0] |= parity;
  wire[1] = differing_words;
  return size < header.size();
}

// `header` is the header before, and becomes the one that `bytes` encode. Returns false if they encode none.
bool lengthen(ConstBytes bytes, WireHeader& header) {
  std::ranges::copy(bytes.last(checksum_size), header.data() + FrameHeader::checksum_at);
  const std::byte differing_words = bytes[1];
  bytes = bytes.subspan(2, bytes.size() - least_size);
  for (std::size_t i = 0; i < words; ++i) {
    if (!has(differing_words, i)) continue;
    if (bytes.empty()) return false;
    const std::byte differing_bytes = bytes.front();
    bytes = bytes.subspan(1);
    for (std::size_t bit = 0; bit < word_size; ++bit) {
      if (!has(differing_bytes, bit)) continue;
      if (bytes.empty()) return false;
      header[i * word_size + bit] ^= bytes.front();
      bytes = bytes.subspan(1);
    }
  }
  return bytes.empty();
}

}  // namespace

void HeaderWriter::write(const FrameHeader& header, TravellingHeader& wire) {
  WireHeader whole;
  encode(header, whole);
  if (header.payload >= large_payload || !shorten(before_, whole, wire)) write_whole(whole, wire);
  before_ = whole;
}

void HeaderWriter::write_whole(const WireHeader& header, TravellingHeader& wire) {
  std::fill(std::ranges::copy(header, wire.begin()).out, wire.end(), std::byte{0});
}

std::optional<FrameHeader> HeaderReader::read(ConstBytes bytes) {
  if (bytes.size() < least_size) return std::nullopt;
  if (bytes.size() == sizeof(TravellingHeader)) {
    const ConstBytes zeros = bytes.subspan(before_.size());
    if (std::ranges::count(zeros, std::byte{0}) < std::ssize(zeros)) return std::nullopt;
    std::ranges::copy(bytes.first(before_.size()), before_.begin());
  } else if (!lengthen(bytes, before_)) {
    return std::nullopt;
  }
  return decode(before_);
}

std::size_t travelling_size(std::byte first) {
  if (first == FrameHeader::whole_mark) return sizeof(TravellingHeader);
  const auto size = std::to_integer<std::size_t>(first & ~parity);
  return even(first) && size >= least_size && size < FrameHeader::wire_size ? size : 0;
}

}  // namespace cohort
