// SPDX-License-Identifier: Apache-2.0
#include "launcher/remote/shell_words.hpp"

#include <gtest/gtest.h>

#include <random>

#include "launcher/usage_error.hpp"

namespace cohort {
namespace {

using Words = std::vector<std::string>;

TEST(ShellWords, SplitsAsAShellDoes) {
  EXPECT_EQ(split_words("ssh -o BatchMode=yes"), (Words{"ssh", "-o", "BatchMode=yes"}));
  EXPECT_EQ(split_words("  a\t'b c'\"d e\"  f\\ g "), (Words{"a", "b cd e", "f g"}));
  EXPECT_EQ(split_words("'' \"\""), (Words{"", ""}));
  EXPECT_EQ(split_words("\"a\\\"b\\\\c\\d\" 'x\\y'"), (Words{"a\"b\\c\\d", "x\\y"}));
  EXPECT_EQ(split_words(""), Words{});
  EXPECT_THROW(split_words("a 'b"), UsageError);
  EXPECT_THROW(split_words("\"b"), UsageError);
}

TEST(ShellWords, WhatIsQuotedIsOneWordAgain) {
  std::mt19937 random(7);
  const std::string letters = "ab '\"\\\n$*`";
  for (int round = 0; round < 2000; ++round) {
    std::string word;
    for (unsigned length = random() % 12; word.size() < length;) word += letters[random() % letters.size()];
    EXPECT_EQ(split_words(quote(word)), Words{word});
  }
}

}  // namespace
}  // namespace cohort
