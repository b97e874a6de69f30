// SPDX-License-Identifier: Apache-2.0
// A matrix times a vector. The ranks form a grid, and each has a block of the matrix.
#include <cohort/cohort.hpp>
#include <iostream>
#include <vector>

constexpr int rows = 3, columns = 2;  // of a block

int main() {
  cohort::Process self = cohort::join();
  cohort::Group all = self.all();
  cohort::Grid grid = all.grid({2, all.size() / 2});  // needs an even number of processes
  const std::vector<cohort::Rank> place = grid.coordinates();
  cohort::Grid row = grid.row(), column = grid.column();

  // x lies in the first row of the grid, one part in each column. Now it goes down the columns.
  std::vector<double> x(columns);
  if (place[0] == 0) x.assign(columns, 1.0 + place[1]);
  column.bcast(x, 0);

  std::vector<double> y(rows);  // the part of the product that this block gives
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) y[i] += (place[0] * rows + i) * x[j];
  row.combine(cohort::in_place(y), cohort::sum);

  if (place[1] == 0) std::cout << "row " << place[0] << " of the grid: " << y[0] << ' ' << y[1] << ' ' << y[2] << '\n';

  // Groups that a rule makes: equal values share a group.
  cohort::Group half = all.partition(all.rank() % 2);
  const int sum = half.combine(all.rank(), cohort::sum);
  if (half.rank() == 0) std::cout << half.size() << " ranks like " << all.rank() << " add up to " << sum << '\n';
}
