// SPDX-License-Identifier: Apache-2.0
#include "launcher/remote/chunks.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "proto/control.pb.h"

namespace cohort {
namespace {

v1::FromHost output(std::size_t size) {
  v1::FromHost message;
  message.mutable_output()->set_pid(3);
  message.mutable_output()->set_data(std::string(size, 'x'));
  return message;
}

v1::FromHost chunk(const std::string& data, bool continues) {
  v1::FromHost message;
  message.mutable_chunk()->set_data(data);
  message.mutable_chunk()->set_continues(continues);
  return message;
}

TEST(Chunks, AreTheMessageAgain) {
  constexpr std::size_t around = longest_chunk;
  Chunks chunks;
  for (const std::size_t size : {std::size_t{0}, around - 20, around, around + 1, 3 * around, 16 * around + 7}) {
    std::deque<v1::FromHost> waiting;
    append_in_chunks(waiting, output(size));
    append_in_chunks(waiting, output(1));
    EXPECT_EQ(waiting.size() > 2, output(size).ByteSizeLong() > longest_chunk) << size;
    std::vector<std::size_t> arrived;
    for (v1::FromHost& message : waiting) {
      EXPECT_LE(message.ByteSizeLong(), longest_chunk + 20);
      const Chunks::State state = chunks.join(message);
      ASSERT_NE(state, Chunks::State::nonsense);
      if (state == Chunks::State::whole) arrived.push_back(message.output().data().size());
    }
    EXPECT_EQ(arrived, (std::vector<std::size_t>{size, 1}));
  }
}

TEST(Chunks, ThatMakeNoMessageAreNonsense) {
  const std::string whole = output(10).SerializeAsString();
  const auto state_after = [](std::vector<v1::FromHost> messages) {
    Chunks chunks;
    auto state = Chunks::State::whole;
    for (v1::FromHost& message : messages) {
      EXPECT_NE(state, Chunks::State::nonsense);
      state = chunks.join(message);
    }
    return state;
  };
  EXPECT_EQ(state_after({chunk(whole, false)}), Chunks::State::whole);
  EXPECT_EQ(state_after({chunk(whole.substr(0, 5), true)}), Chunks::State::more_to_come);
  EXPECT_EQ(state_after({chunk(whole.substr(0, 5), false)}), Chunks::State::nonsense);
  EXPECT_EQ(state_after({chunk(whole.substr(0, 5), true), output(1)}), Chunks::State::nonsense);
  EXPECT_EQ(state_after({chunk(chunk(whole, false).SerializeAsString(), false)}), Chunks::State::nonsense);
  std::vector<v1::FromHost> endless(longest_message / longest_chunk + 1, chunk(std::string(longest_chunk, 'x'), true));
  EXPECT_EQ(state_after(endless), Chunks::State::nonsense);
}

}  // namespace
}  // namespace cohort
