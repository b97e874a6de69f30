// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/receive_record.hpp"

#include <gtest/gtest.h>

#include "proto/process.pb.h"
#include "runtime/control/taken_message.hpp"

namespace cohort {
namespace {

process::v1::Taken told(std::uint32_t tag, std::uint64_t number, Rank source) {
  process::v1::Taken message;
  write(Taken{.channel = {.group = {}, .tag = tag}, .number = number, .source = source}, message);
  return message;
}

std::size_t places_in(const Sources& sources) {
  std::size_t places = 0;
  for (const auto& [channel, of_channel] : sources.channels) places += of_channel.size();
  return places;
}

TEST(ReceiveRecord, HasTheReceivesInTheOrderOfTheirCallsHoweverTheyEnd) {
  Sources sources;
  read(told(7, 2, 5), sources);
  read(told(7, 0, 4), sources);
  EXPECT_EQ(sources.untold, 1u);
  const std::string text = to_text({sources});
  EXPECT_NE(text.find("tag 7 from 4 - 5\n"), std::string::npos) << text;
  read(told(7, 1, no_source), sources);
  EXPECT_EQ(sources.untold, 0u);
  EXPECT_EQ(to_text({sources}), text);
}

// A process that has gone mad says a few bytes for each of them.
TEST(ReceiveRecord, NumbersFarAheadTakeBoundedMemoryOverAllChannels) {
  Sources sources;
  constexpr std::uint64_t far = 1u << 20;
  for (std::uint32_t tag = 0; tag < 100; ++tag) read(told(tag, far, 1), sources);
  for (std::uint64_t step = 1; step < 100; ++step) read(told(0, step * far, 1), sources);
  for (const std::uint64_t number : {far + 1, far * far, ~std::uint64_t{0}}) read(told(200, number, 1), sources);
  EXPECT_LE(places_in(sources), far + 100);
  EXPECT_EQ(sources.channels.size(), 1u);  // the first took all that there is
}

TEST(ReceiveRecord, WhatHasBeenToldMakesRoomForOthers) {
  Sources sources;
  constexpr std::uint64_t far = 1u << 20;
  read(told(1, far, 1), sources);
  for (std::uint64_t number = 0; number < far; ++number) read(told(1, number, -3), sources);
  EXPECT_EQ(sources.untold, 0u);
  read(told(2, far, 1), sources);
  EXPECT_EQ(sources.untold, far);
  EXPECT_EQ(places_in(sources), 2 * (far + 1));
}

}  // namespace
}  // namespace cohort
