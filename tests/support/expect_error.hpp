// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "cohort/error.hpp"

namespace cohort::testing {

// The call throws an Error with this code, whose text has all these words. If an argument is bad, the error says where
// the call is and on which group.
inline void expect_error(ErrorCode code, const std::vector<std::string>& words, const std::function<void()>& call) {
  try {
    call();
    ADD_FAILURE() << "no error that says " << words.front();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_TRUE(code != ErrorCode::argument || (!error.where().empty() && error.group())) << error.what();
    for (const std::string& word : words)
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
  }
}

}  // namespace cohort::testing
