// A process of a job that begins with a storm: the first that it does is to speak with all others at once.
#include <iostream>
#include <numeric>
#include <vector>

#include "cohort/cohort.hpp"

int main() {
  const cohort::Process self = cohort::join();
  const cohort::Group all = self.all();
  for (cohort::Rank other = 0; other < all.size(); ++other) all.send(all.rank(), other);

  std::vector<int> mine(static_cast<std::size_t>(all.size())), theirs(mine.size());
  std::iota(mine.begin(), mine.end(), all.rank() * all.size());
  all.index(mine, theirs);

  for (cohort::Rank other = 0; other < all.size(); ++other) {
    const bool right =
        all.receive<int>(other) == other && theirs[static_cast<std::size_t>(other)] == other * all.size() + all.rank();
    if (right) continue;
    std::cout << "rank " << all.rank() << ": wrong from " << other << std::endl;
    return 8;
  }
  if (all.rank() == 0) std::cout << "all with all" << std::endl;
}
