// SPDX-License-Identifier: Apache-2.0
// A process of a job that begins with a storm: its first call speaks with all others at once, if the algorithm does.
#include <iostream>
#include <vector>

#include "cohort/cohort.hpp"

int main() {
  constexpr std::size_t elements = 100;  // for each
  const cohort::Process self = cohort::join();
  const cohort::Group all = self.all();
  const auto ranks = static_cast<std::size_t>(all.size());
  std::vector<std::size_t> mine(ranks * elements), theirs(mine.size());
  for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = static_cast<std::size_t>(all.rank()) * ranks + i / elements;
  all.index(mine, theirs);
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const std::size_t from = i / elements;
    if (theirs[i] == from * ranks + static_cast<std::size_t>(all.rank())) continue;
    std::cout << "rank " << all.rank() << ": wrong from " << from << std::endl;
    return 8;
  }
  if (all.rank() == 0) std::cout << "all with all" << std::endl;
}
