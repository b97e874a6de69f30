// SPDX-License-Identifier: Apache-2.0
// A header's way over the wire.
#include "runtime/transport/frame.hpp"

#include <gtest/gtest.h>

#include "tests/runtime/full_header.hpp"

namespace cohort {
namespace {

TEST(Frame, ArrivesAsItWas) {
  const FrameHeader header = full_header();
  WireHeader wire;
  encode(header, wire);
  const std::optional<FrameHeader> arrived = decode(wire);
  ASSERT_TRUE(arrived);
  EXPECT_EQ(arrived->group, header.group);
  EXPECT_EQ(arrived->tag, header.tag);
  EXPECT_EQ(arrived->length, header.length);
  EXPECT_EQ(arrived->offset, header.offset);
  EXPECT_EQ(arrived->transfer, header.transfer);
  EXPECT_EQ(arrived->payload, header.payload);
  EXPECT_EQ(arrived->credit, header.credit);
  EXPECT_EQ(arrived->kind, header.kind);
  EXPECT_EQ(arrived->channel, header.channel);
  EXPECT_EQ(arrived->call, header.call);
}

// What is no data has types where data has its offset.
TEST(Frame, TellsTheTypesOfACall) {
  FrameHeader header = full_header();
  header.kind = FrameKind::message;
  header.call.type = 0x87654321;
  header.call.reduction = 16;
  WireHeader wire;
  encode(header, wire);
  const std::optional<FrameHeader> arrived = decode(wire);
  ASSERT_TRUE(arrived);
  EXPECT_EQ(arrived->call, header.call);
}

TEST(Frame, Case25AnyFlippedBitIsNoticed) {
  for (const FrameHeader& header : {FrameHeader{}, full_header()}) {
    WireHeader wire;
    encode(header, wire);
    const auto flip = [&](std::size_t bit) { wire[bit / 8] ^= std::byte{1} << bit % 8; };
    for (std::size_t bit = 0; bit < 8 * wire.size(); ++bit) {
      flip(bit);
      EXPECT_FALSE(decode(wire)) << "bit " << bit;
      flip(bit);
    }
    EXPECT_TRUE(decode(wire));
  }
}

}  // namespace
}  // namespace cohort
