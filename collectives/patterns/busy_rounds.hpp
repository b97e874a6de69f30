// SPDX-License-Identifier: Apache-2.0
// Counts the rounds with events that recur every `period` rounds, from several first rounds on.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "cohort/types.hpp"

namespace cohort {

class BusyRounds {
 public:
  explicit BusyRounds(Count period) : period_(period) {}

  // Adds the `times` rounds first, first + period, ...
  void add(Count first, Count times) {
    if (times > 0) series_.push_back({first, times});
  }

  Count count() const {
    std::vector<Series> sorted = series_;
    std::sort(sorted.begin(), sorted.end(), [](const Series& a, const Series& b) { return a.first < b.first; });
    std::vector<Count> free(static_cast<std::size_t>(period_),
                            -1);  // by residue: the first round that is not counted yet
    Count busy = 0;
    for (const Series& series : sorted) {
      Count& next = free[static_cast<std::size_t>(series.first % period_)];
      const Count begin = std::max(next, series.first);
      const Count end = series.first + series.times * period_;
      if (begin >= end) continue;
      busy += (end - begin) / period_;
      next = end;
    }
    return busy;
  }

 private:
  struct Series {
    Count first;
    Count times;
  };

  Count period_;
  std::vector<Series> series_;
};

}  // namespace cohort
