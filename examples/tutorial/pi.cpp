// SPDX-License-Identifier: Apache-2.0
// Pi is the area below 4 / (1 + x^2) from 0 to 1. Each rank adds up a part of it.
#include <cohort/cohort.hpp>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  cohort::Process self = cohort::join();
  cohort::Group all = self.all();

  long strips = 0;
  if (all.rank() == 0) strips = argc > 1 ? std::stol(argv[1]) : 1000000;
  all.bcast(strips, 0);  // from rank 0 to all

  double area = 0;
  std::vector<long> tenths(10);  // how many strips this rank has in each tenth
  for (long i = all.rank(); i < strips; i += all.size()) {
    const double x = (i + 0.5) / strips;
    area += 4 / (1 + x * x) / strips;
    ++tenths[static_cast<std::size_t>(10 * x)];
  }

  const double pi = all.combine(area, cohort::sum);       // one value: the sum, at all ranks
  const std::vector<double> areas = all.gather(area, 0);  // one value of each rank, at rank 0
  std::vector<long> sums(10);
  all.reduce(tenths, sums, cohort::sum, 0);              // ranges: element by element, at rank 0
  all.combine(cohort::in_place(area), cohort::maximum);  // the result replaces the input

  if (all.rank() != 0) return 0;
  std::cout << std::setprecision(10) << "pi is " << pi << ", the sum of " << areas.size() << " areas\n";
  std::cout << "the first tenth has " << sums[0] << " strips; the largest area is " << std::setprecision(3) << area
            << '\n';
}
