// SPDX-License-Identifier: Apache-2.0
#include "collectives/pictures/spread.hpp"

#include <algorithm>
#include <numeric>

namespace cohort::pictures {

void spread(std::vector<double>& wanted, double step, double lowest, double highest) {
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
  // Names that touch form a stack, placed at the average of their wanted places.
  struct Stack {
    double sum;  // of wanted places, each less its offset in the stack
    double size;
  };
  const auto first_of = [&](const Stack& stack) {
    return std::clamp(stack.sum / stack.size, lowest, std::max(lowest, highest - (stack.size - 1) * step));
  };
  std::vector<Stack> stacks;
  for (const std::size_t index : order) {
    stacks.push_back({wanted[index], 1});
    while (stacks.size() > 1) {
      const Stack last = stacks.back();
      Stack& before = stacks[stacks.size() - 2];
      if (first_of(before) + before.size * step <= first_of(last)) break;
      before.sum += last.sum - last.size * before.size * step;
      before.size += last.size;
      stacks.pop_back();
    }
  }
  std::size_t next = 0;
  for (const Stack& stack : stacks) {
    const double first = first_of(stack);
    for (int i = 0; i < static_cast<int>(stack.size); ++i) wanted[order[next++]] = first + i * step;
  }
}

}  // namespace cohort::pictures
