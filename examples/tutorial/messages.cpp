// SPDX-License-Identifier: Apache-2.0
// A letter goes around a ring, and each rank adds a word. Then all ranks send at once.
#include <cohort/cohort.hpp>
#include <iostream>
#include <string>

int main() {
  cohort::Process self = cohort::join();
  cohort::Group all = self.all();
  const cohort::Rank right = (all.rank() + 1) % all.size();
  const cohort::Rank left = (all.rank() + all.size() - 1) % all.size();

  if (all.rank() == 0) {
    all.send(std::string("zero"), right);
    std::cout << "the letter: " << all.receive<std::string>(left) << '\n';
  } else {
    std::string letter = all.receive<std::string>(left);  // of the size that was sent
    letter += " and " + std::to_string(all.rank());
    all.send(letter, right);
  }

  const int mine = 10 * all.rank();
  int theirs = 0;
  all.exchange(mine, right, theirs, left);  // sends and receives at once
  std::cout << "rank " << all.rank() << " has " << theirs << " from rank " << left << '\n';
}
