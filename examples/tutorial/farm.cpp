// SPDX-License-Identifier: Apache-2.0
// Which number below 300,000 has the longest Collatz chain? Rank 0 hands out ranges of numbers, the others search them.
#include <algorithm>
#include <cohort/cohort.hpp>
#include <cohort/farm.hpp>
#include <iostream>
#include <vector>

constexpr long range = 3000;

struct Chain {
  long start = 0, length = 0;
};

// The longest chain that begins in a range: n becomes n / 2 or 3 n + 1, until it is 1.
Chain longest_chain(long begin) {
  Chain longest;
  for (long start = std::max(begin, 1L); start < begin + range; ++start) {
    long length = 1;
    for (long n = start; n != 1; ++length) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    if (length > longest.length) longest = {start, length};
  }
  return longest;
}

int main() {
  cohort::Process self = cohort::join();
  std::vector<long> tasks;
  for (long begin = 0; begin < 300000; begin += range) tasks.push_back(begin);

  const std::vector<Chain> results = cohort::farm(self.all(), tasks, longest_chain);  // at rank 0: one for each task
  if (self.pid() != 0) return 0;

  Chain longest;
  for (const Chain& chain : results)
    if (chain.length > longest.length) longest = chain;
  std::cout << "the chain of " << longest.start << " has " << longest.length << " numbers\n";
}
