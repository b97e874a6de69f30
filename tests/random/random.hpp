// SPDX-License-Identifier: Apache-2.0
// What a seed decides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <utility>
#include <vector>

namespace cohort::testing {

// The same numbers with every standard library: distributions are not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::int64_t below(std::int64_t limit) {
    return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(limit));
  }
  bool once_in(std::int64_t times) { return below(times) == 0; }
  template <class List>
  auto& one_of(List& list) {
    return list[static_cast<std::size_t>(below(std::ssize(list)))];
  }
  template <class T>
  void shuffle(std::vector<T>& list) {
    for (std::size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1], list[static_cast<std::size_t>(below(static_cast<std::int64_t>(i)))]);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace cohort::testing
