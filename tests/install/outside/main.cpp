// SPDX-License-Identifier: Apache-2.0
// Sums the pids of all processes and prints the result, once.
#include <cohort/cohort.hpp>
#include <iostream>
#include <span>

int main() {
  cohort::Process self = cohort::join();
  cohort::Group all = self.all();

  const int mine = self.pid() + 1;
  int sum = 0;
  all.combine(std::span(&mine, 1), std::span(&sum, 1), cohort::sum);
  if (self.pid() == 0) std::cout << "sum " << sum << '\n';
}
