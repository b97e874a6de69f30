// SPDX-License-Identifier: Apache-2.0
// Where the messenger says that the payload of the next message is likely to go.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "runtime/messages/messenger.hpp"
#include "tests/random/random.hpp"
#include "tests/runtime/lone_messengers.hpp"
#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

TEST(LikelyLanding, IsTheOnlyReceivesIfThatIsACollectives) {
  Processes job(2);
  const auto likely = [&] { return job.at(0).likely_landing(1, 300, 2000).memory.data; };
  Receiving users(1, 1, 900), first(1, 2, 900), second(1, 3, 900);
  first.transfer.exact = second.transfer.exact = true;
  EXPECT_EQ(likely(), nullptr);
  job.at(0).start(users.transfer);
  EXPECT_EQ(likely(), nullptr);
  EXPECT_TRUE(job.at(0).cancel(users.transfer));
  job.at(0).start(first.transfer);
  EXPECT_EQ(likely(), first.bytes.data());
  job.at(0).start(second.transfer);
  EXPECT_EQ(likely(), nullptr);
  Sending message(0, 2, 900, 7);
  job.at(1).start(message.transfer);
  job.settle();
  EXPECT_EQ(first.bytes, message.bytes);
  EXPECT_EQ(likely(), second.bytes.data());
  EXPECT_TRUE(job.at(0).cancel(second.transfer));
  EXPECT_EQ(likely(), nullptr);
}

// It may get less than it has room for, and what is behind that is the user's.
TEST(LikelyLanding, IsAUsersReceivesIfTheLastMessageFilledItsMemory) {
  Processes job(2);
  const auto pass = [&](std::size_t room, std::size_t size) {
    Receiving receive(1, 1, room);
    job.at(0).start(receive.transfer);
    Sending message(0, 1, size, 7);
    job.at(1).start(message.transfer);
    job.settle();
  };
  pass(900, 900);
  Receiving next(1, 1, 900);
  for (std::size_t i = 0; i < next.bytes.size(); ++i) next.bytes[i] = static_cast<std::byte>(i);
  job.at(0).start(next.transfer);
  EXPECT_EQ(job.at(0).likely_landing(1, 301, 2000).memory.size, 0u);
  EXPECT_EQ(job.at(0).likely_landing(1, 300, 2000).memory.size, 0u);  // it may be there: there is no time for a copy
  for (int i = 0; i < 2; ++i) {
    const Guess guess = job.at(0).likely_landing(1, 300, 200);
    EXPECT_EQ(guess.memory.data, next.bytes.data());
    EXPECT_EQ(guess.memory.size, 200u);  // of the first of two pieces
    ASSERT_NE(guess.before, nullptr);
    EXPECT_TRUE(std::equal(guess.before, guess.before + guess.memory.size, next.bytes.begin()));
  }
  EXPECT_TRUE(job.at(0).cancel(next.transfer));

  pass(900, 899);
  job.at(0).start(next.transfer);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(job.at(0).likely_landing(1, 300, 2000).memory.size, 0u);
  EXPECT_TRUE(job.at(0).cancel(next.transfer));
}

TEST(LikelyLanding, IsKnownAfterAReceiveThatIsGivenUpWhileItsLastBytesArrive) {
  Processes job(2);
  Receiving given_up(1, 1, 100);
  job.at(0).start(given_up.transfer);
  FrameHeader header{
      .group = {}, .tag = 1, .length = 100, .transfer = 1, .payload = 10, .kind = FrameKind::message, .call = {}};
  Pieces landing;
  ASSERT_TRUE(job.at(0).frame_begins(1, header, landing));
  job.at(0).frame_ends(1, header);
  header.kind = FrameKind::data;
  header.offset = 10;
  header.payload = 90;
  ASSERT_TRUE(job.at(0).frame_begins(1, header, landing));
  EXPECT_TRUE(job.at(0).cancel(given_up.transfer));
  job.at(0).frame_ends(1, header);
  Receiving next(1, 2, 100);
  next.transfer.exact = true;
  job.at(0).start(next.transfer);
  EXPECT_EQ(job.at(0).likely_landing(1, 1, 100).memory.data, next.bytes.data());
  EXPECT_TRUE(job.at(0).cancel(next.transfer));
}

// Full and shorter ones, and now and then a full one first that is for another receive, which does not wait yet.
TEST(LikelyLanding, LeavesWhatIsBehindAMessageAsItIs) {
  constexpr int messages = 1000;
  constexpr std::size_t room = 6'000;
  run_all({Kind::tcp, 2, true, {}}, [&](const Group& all) {
    Random random(7);  // the same for both
    for (int i = 0; i < messages; ++i) {
      const auto size = random.once_in(3) ? static_cast<std::size_t>(random.below(room)) : room;
      const bool other_first = random.once_in(5);
      const std::vector<int> full(room, i);
      if (all.rank() == 0) {
        if (other_first) all.send(std::span(full), 1, Tag{2});
        all.send(std::span(full).first(size), 1, Tag{1});
        EXPECT_EQ(all.receive<int>(1), i);  // so that the other one waits for the next
        continue;
      }
      std::vector<int> expected(room, -1);
      std::vector<int> got = expected;
      std::fill_n(expected.begin(), size, i);
      ASSERT_EQ(all.receive(std::span(got), 0, Tag{1}), static_cast<Count>(size));
      ASSERT_EQ(got, expected) << "message " << i << " of " << size;
      if (other_first) {
        ASSERT_EQ(all.receive(std::span(got), 0, Tag{2}), static_cast<Count>(room));
        ASSERT_EQ(got, full);
      }
      all.send(i, 0);
    }
  });
}

}  // namespace
}  // namespace cohort::testing
