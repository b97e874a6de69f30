// SPDX-License-Identifier: Apache-2.0
#include "launcher/printable.hpp"

#include <gtest/gtest.h>

#include <random>

namespace cohort {
namespace {

TEST(Printable, Case86WhatCanBeShownStaysAsItIs) {
  for (const std::string text :
       {"", "a b\tc\nd \\x41", "caf\xc3\xa9", "\xe2\x82\xac \xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, Case86OtherBytesAreEscaped) {
  EXPECT_EQ(printable("caf\xe9"), "caf\\xe9");
  EXPECT_EQ(printable("\x1b[2J\r\x7f"), "\\x1b[2J\\x0d\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\xc2\\x9b31m");  // a control character of two bytes
  EXPECT_EQ(printable("\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80\xff"),
            "\\xc0\\xaf\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80\\xff");
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(Printable, Case86NothingIsLeftToEscape) {
  std::mt19937 draw(7);
  for (int i = 0; i < 2000; ++i) {
    std::string text(draw() % 40, ' ');
    for (char& c : text) c = static_cast<char>(draw());
    const std::string shown = printable(text);
    EXPECT_EQ(printable(shown), shown);
    EXPECT_EQ(shown.find('\x1b'), std::string::npos);
    EXPECT_EQ(on_one_line(text).find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace cohort
