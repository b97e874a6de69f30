#include "runtime/transport/frame.hpp"

#include <bit>
#include <cstring>
#include <type_traits>

namespace cohort {
namespace {

static_assert(std::endian::native == std::endian::little, "the wire format is written for little-endian machines");

// Multiply-and-fold over 8-byte words: any flipped bit changes about half of the result.
std::uint32_t checksum(const std::byte* bytes, std::size_t size) {
  std::uint64_t hash = 0x9e3779b97f4a7c15u;
  for (std::size_t i = 0; i + 8 <= size; i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + i, 8);
    hash = (hash ^ word) * 0xd6e8feb86659fd93u;
    hash ^= hash >> 32;
  }
  return static_cast<std::uint32_t>(hash);
}

constexpr std::size_t checksum_at = FrameHeader::wire_size - 4;

class Writer {
 public:
  explicit Writer(std::byte* to) : to_(to) {}
  template <class T>
  Writer& put(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::memcpy(to_, &value, sizeof value);
    to_ += sizeof value;
    return *this;
  }

 private:
  std::byte* to_;
};

class Reader {
 public:
  explicit Reader(const std::byte* from) : from_(from) {}
  template <class T>
  Reader& get(T& value) {
    std::memcpy(&value, from_, sizeof value);
    from_ += sizeof value;
    return *this;
  }

 private:
  const std::byte* from_;
};

}  // namespace

void encode(const FrameHeader& header, WireHeader& wire) {
  wire.fill(std::byte{0});
  Writer(wire.data())
      .put(header.group.derivation)
      .put(header.tag)
      .put(header.length)
      .put(header.offset)
      .put(header.group.counter)
      .put(header.group.pid)
      .put(header.transfer)
      .put(header.payload)
      .put(header.credit)
      .put(header.kind)
      .put(header.channel)
      .put(header.operation);
  const std::uint32_t check = checksum(wire.data(), checksum_at);
  std::memcpy(wire.data() + checksum_at, &check, sizeof check);
}

std::optional<FrameHeader> decode(const WireHeader& wire) {
  std::uint32_t check = 0;
  std::memcpy(&check, wire.data() + checksum_at, sizeof check);
  if (check != checksum(wire.data(), checksum_at)) return std::nullopt;
  FrameHeader header;
  Reader(wire.data())
      .get(header.group.derivation)
      .get(header.tag)
      .get(header.length)
      .get(header.offset)
      .get(header.group.counter)
      .get(header.group.pid)
      .get(header.transfer)
      .get(header.payload)
      .get(header.credit)
      .get(header.kind)
      .get(header.channel)
      .get(header.operation);
  if (header.kind > FrameKind::last_kind || header.channel > Channel::last_channel) return std::nullopt;
  if (header.operation > Operation::partition) return std::nullopt;
  return header;
}

}  // namespace cohort
