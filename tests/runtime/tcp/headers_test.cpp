// SPDX-License-Identifier: Apache-2.0
// Headers that travel in part.
#include "runtime/transport/tcp/headers.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/random/random.hpp"
#include "tests/runtime/full_header.hpp"
#include "tests/runtime/tcp/raw_peer.hpp"

namespace cohort {
namespace {

// In memory of its own, so that a sanitizer sees what is read behind it.
std::vector<std::byte> travelling(const TravellingHeader& wire) {
  return {wire.data(), wire.data() + travelling_size(wire)};
}

std::string hex(const TravellingHeader& wire) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : travelling(wire)) {
    text += digits[std::to_integer<std::size_t>(byte >> 4)];
    text += digits[std::to_integer<std::size_t>(byte & std::byte{15})];
  }
  return text;
}

FrameHeader any_header(testing::Random& random) {
  const auto any = [&](auto& field) {
    field = static_cast<std::remove_reference_t<decltype(field)>>(random.below(INT64_MAX));
  };
  FrameHeader header;
  any(header.group.derivation);
  any(header.group.counter);
  any(header.group.pid);
  any(header.tag);
  any(header.length);
  any(header.transfer);
  any(header.payload);
  any(header.credit);
  any(header.call.argument);
  header.call.operation =
      static_cast<Operation>(random.below(static_cast<std::int64_t>(Operation::last_operation) + 1));
  header.kind = static_cast<FrameKind>(random.below(static_cast<std::int64_t>(FrameKind::last_kind) + 1));
  if (header.kind == FrameKind::data) {
    any(header.offset);
  } else {
    any(header.call.type);
    any(header.call.reduction);
  }
  header.channel = static_cast<Channel>(random.below(static_cast<std::int64_t>(Channel::last_channel) + 1));
  return header;
}

// Some of its fields changed, or all of them, or none.
FrameHeader next_header(const FrameHeader& before, testing::Random& random) {
  FrameHeader header = random.once_in(10) ? any_header(random) : before;
  if (random.once_in(2)) ++header.tag;
  if (random.once_in(3)) header.length = header.payload = static_cast<std::uint32_t>(random.below(40'000));
  if (random.once_in(3)) header.credit = static_cast<std::uint32_t>(random.below(40'000));
  return header;
}

TEST(Headers, ArriveAsTheyWereInTheirOrder) {
  testing::Random random(1);
  HeaderWriter writer;
  HeaderReader reader;
  FrameHeader header;
  for (int i = 0; i < 20'000; ++i) {
    header = next_header(header, random);
    TravellingHeader wire;
    writer.write(header, wire);
    const std::optional<FrameHeader> arrived = reader.read(travelling(wire));
    ASSERT_TRUE(arrived);
    ASSERT_EQ(whole_header(*arrived), whole_header(header));
    ASSERT_TRUE(header.payload < HeaderWriter::large_payload || wire == whole_header(header));
  }
}

TEST(Headers, TakeLittleWhereLittleChanges) {
  testing::Random random(2);
  const FrameHeader first = any_header(random);
  FrameHeader next = first;
  next.payload = 8;
  HeaderWriter writer;
  const auto size = [&](const FrameHeader& header) {
    TravellingHeader wire;
    writer.write(header, wire);
    return travelling_size(wire);
  };
  size(next);
  EXPECT_EQ(size(next), 6u);
  next.tag ^= 1;
  EXPECT_EQ(size(next), 8u);
}

TEST(Headers, Case25AnyFlippedBitIsNoticed) {
  testing::Random random(3);
  HeaderWriter writer;
  HeaderReader reader;
  FrameHeader header;
  for (int i = 0; i < 200; ++i) {
    header = next_header(header, random);
    TravellingHeader wire;
    writer.write(header, wire);
    for (std::size_t bit = 0; bit < 8 * travelling_size(wire); ++bit) {
      TravellingHeader damaged = wire;
      damaged[bit / 8] ^= std::byte{1} << bit % 8;
      HeaderReader other = reader;
      EXPECT_TRUE(travelling_size(damaged) == 0 || !other.read(travelling(damaged)))
          << "header " << i << " bit " << bit;
    }
    ASSERT_TRUE(reader.read(travelling(wire)));
  }
}

// Who changes these bytes raises handshake::protocol_version.
TEST(Headers, AreTheseBytesOfVersion3) {
  FrameHeader header = full_header();
  header.length = header.payload = HeaderWriter::large_payload;
  HeaderWriter writer;
  TravellingHeader wire;
  writer.write(header, wire);
  EXPECT_EQ(hex(wire),
            "c003010af1ffffffefcdab8967452301090000000000000000400000000000000b0000000000000007000000080000000c00000000"
            "4000000e000000605ed85d" +
                std::string(128, '0'));
  ++header.tag;
  header.payload = 13;
  writer.write(header, wire);
  EXPECT_EQ(hex(wire), "8b440103300d40f7ba416b");
}

// What no writer writes.
TEST(Headers, MakeNoSenseInPart) {
  testing::Random random(4);
  for (int i = 0; i < 100'000; ++i) {
    TravellingHeader wire;
    for (std::byte& byte : wire) byte = static_cast<std::byte>(random.below(256));
    HeaderReader reader;
    EXPECT_FALSE(travelling_size(wire) > 0 && reader.read(travelling(wire)));
  }
}

}  // namespace
}  // namespace cohort
