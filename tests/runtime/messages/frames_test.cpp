// SPDX-License-Identifier: Apache-2.0
// Every type of frame over the wire and back.
#include "runtime/messages/frames.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "runtime/failures/failure_frame.hpp"
#include "runtime/presence/presence_frames.hpp"
#include "runtime/transport/tcp/headers.hpp"

namespace cohort::testing {
namespace {

const GroupId some_group{7, 3, 99};
const Envelope envelope{some_group, 12, Channel::collective};
const CallKind call{Operation::reduce, 2, 0x12345678, 16};

// As it arrives.
template <class Frame>
Frame over_the_wire(const Frame& frame) {
  WireHeader wire;
  encode(frame.header(), wire);
  const std::optional<FrameHeader> header = decode(wire);
  EXPECT_TRUE(header);
  return Frame::of(header.value_or(FrameHeader{}));
}

TEST(Frames, AMessageArrivesAsItWas) {
  const frames::Message message{envelope, call, 1 << 20, 5, 4096}, arrived = over_the_wire(message);
  EXPECT_EQ(arrived.envelope, message.envelope);
  EXPECT_EQ(arrived.call, message.call);
  EXPECT_EQ(std::tuple(arrived.length, arrived.transfer, arrived.payload), std::tuple(1u << 20, 5u, 4096u));
}

TEST(Frames, DataAndAnswersArriveAsTheyWere) {
  const frames::Data data{5, 1 << 20, 4096, 512}, arrived = over_the_wire(data);
  EXPECT_EQ(std::tuple(arrived.transfer, arrived.length, arrived.offset, arrived.payload),
            std::tuple(5u, 1u << 20, 4096u, 512u));
  for (const bool wanted : {true, false}) {
    const frames::Answer answer = over_the_wire(frames::Answer{5, wanted});
    EXPECT_EQ(std::tuple(answer.transfer, answer.wanted), std::tuple(5u, wanted));
  }
}

TEST(Frames, ControlFramesArriveAsTheyWere) {
  const frames::AskPresence question =
      over_the_wire(frames::AskPresence{some_group, 12, Channel::collective, call, 77});
  EXPECT_EQ((Envelope{question.group, question.tag, question.channel}), envelope);
  EXPECT_EQ(question.call, call);
  EXPECT_EQ(question.bytes, 77u);
  for (const bool left_job : {true, false}) {
    const frames::Absence absence = over_the_wire(frames::Absence{some_group, left_job});
    EXPECT_EQ(std::tuple(absence.group, absence.left_job), std::tuple(some_group, left_job));
  }
  EXPECT_EQ(over_the_wire(frames::Note{9}).sent_after, 9u);
  for (const std::optional<Pid> dead : {std::optional<Pid>(), std::optional<Pid>(0), std::optional<Pid>(6)}) {
    for (const Pid culprit : {-1, 0, 6}) {
      for (const bool only_we_know : {true, false}) {
        const frames::GroupFailure failure =
            over_the_wire(frames::GroupFailure{some_group, ErrorCode::truncated, culprit, dead, only_we_know});
        EXPECT_EQ(std::tuple(failure.group, failure.code, failure.culprit, failure.dead, failure.only_we_know),
                  std::tuple(some_group, ErrorCode::truncated, culprit, dead, only_we_know));
      }
    }
  }
}

TEST(Frames, WhatMakesNoSenseIsNotValid) {
  EXPECT_TRUE((frames::Message{envelope, call, 10, 0, 10}.valid()));
  EXPECT_TRUE((frames::Message{envelope, call, 10, 1, 4}.valid()));
  EXPECT_FALSE((frames::Message{envelope, call, 10, 0, 4}.valid()));  // and the rest?
  EXPECT_FALSE((frames::Message{envelope, call, 10, 1, 11}.valid()));
  EXPECT_FALSE((frames::Message{envelope, call, frames::Message::longest + 1, 1, 0}.valid()));
  EXPECT_TRUE((frames::Data{1, 10, 6, 4}.valid()));
  EXPECT_FALSE((frames::Data{1, 10, 6, 5}.valid()));
  EXPECT_FALSE((frames::Data{1, 10, ~std::uint64_t{0}, 2}.valid()));  // their sum is small
  FrameHeader failure = frames::GroupFailure{some_group, ErrorCode::mismatch, 0, 4}.header();
  EXPECT_TRUE(frames::GroupFailure::valid(failure, 5));
  EXPECT_FALSE(frames::GroupFailure::valid(failure, 4));
  failure.tag = 1000;
  EXPECT_FALSE(frames::GroupFailure::valid(failure, 5));
}

// For sessions, later.
TEST(Frames, NoHeaderBeginsWithTheMarkThatIsKept) {
  EXPECT_EQ(travelling_size(FrameHeader::session_mark), 0u);
  EXPECT_NE(FrameHeader::session_mark, FrameHeader::whole_mark);
}

}  // namespace
}  // namespace cohort::testing
