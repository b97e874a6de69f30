// SPDX-License-Identifier: Apache-2.0
// Who waits for descriptors is woken; where none can be had, an error says so.
#include "runtime/wakeup.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>

#include <string>

#include "cohort/error.hpp"

namespace cohort::detail {
namespace {

bool is_set(const Wakeup& wakeup) {
  pollfd entry{wakeup.descriptor(), POLLIN, 0};
  return ::poll(&entry, 1, 0) == 1;
}

TEST(Wakeup, IsSetUntilItIsCleared) {
  Wakeup wakeup;
  EXPECT_FALSE(is_set(wakeup));
  wakeup.clear();  // waits for nothing
  for (int times = 0; times < 2; ++times) {
    wakeup.set();
    wakeup.set();
    EXPECT_TRUE(is_set(wakeup));
    wakeup.clear();
    EXPECT_FALSE(is_set(wakeup));
  }
}

TEST(Wakeup, SaysThatNoDescriptorCanBeHad) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "a sanitizer needs descriptors";
#endif
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  const rlimit none{0, limit.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  try {
    const Wakeup wakeup;
    ADD_FAILURE() << "there was one";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::job);
    EXPECT_NE(std::string(error.what()).find("Too many open files"), std::string::npos) << error.what();
  }
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace
}  // namespace cohort::detail
