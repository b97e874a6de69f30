// SPDX-License-Identifier: Apache-2.0
// Heat in a square plate with cold edges, heated everywhere: Laplace u = -1, by conjugate gradients. Each rank has a
// tile.
#include <algorithm>
#include <cmath>
#include <cohort/cohort.hpp>
#include <iostream>
#include <optional>
#include <vector>

constexpr int side = 60;  // points of the plate in each direction

// The points of a tile, and around them one line of points of the neighbours. Outside of the plate these are 0.
struct Tile {
  int height, width;
  std::vector<double> points = std::vector<double>((height + 2) * (width + 2));

  double& at(int y, int x) { return points[y * (width + 2) + x]; }
  cohort::Strided<double> row(int y) { return cohort::strided(&at(y, 1), 1, width, width); }
  cohort::Strided<double> column(int x) { return cohort::strided(&at(1, x), height, 1, width + 2); }
};

void exchange_edges(const cohort::Grid& grid, Tile& u) {
  const std::optional<cohort::Rank> above = grid.open_neighbour(0, -1), below = grid.open_neighbour(0, +1);
  const std::optional<cohort::Rank> left = grid.open_neighbour(1, -1), right = grid.open_neighbour(1, +1);
  grid.exchange(u.row(1), above, u.row(u.height + 1), below);
  grid.exchange(u.row(u.height), below, u.row(0), above);
  grid.exchange(u.column(1), left, u.column(u.width + 1), right);
  grid.exchange(u.column(u.width), right, u.column(0), left);
}

// Calls f(y, x) for each point of the tile.
template <class Function>
void each(const Tile& tile, Function f) {
  for (int y = 1; y <= tile.height; ++y)
    for (int x = 1; x <= tile.width; ++x) f(y, x);
}

double product(const cohort::Group& all, Tile& a, Tile& b) {
  double sum = 0;
  each(a, [&](int y, int x) { sum += a.at(y, x) * b.at(y, x); });
  return all.combine(sum, cohort::sum);
}

int main() {
  cohort::Process self = cohort::join();
  const int rows = self.size() % 2 == 0 ? 2 : 1, columns = self.size() / rows;
  cohort::Grid grid = self.all().grid({rows, columns});

  Tile u{side / rows, side / columns}, r = u, p = u, q = u;
  each(r, [&](int y, int x) { r.at(y, x) = p.at(y, x) = 1; });
  double error = product(grid, r, r);
  int steps = 0;
  for (; error > 1e-12; ++steps) {
    exchange_edges(grid, p);
    each(q, [&](int y, int x) {
      q.at(y, x) = 4 * p.at(y, x) - p.at(y - 1, x) - p.at(y + 1, x) - p.at(y, x - 1) - p.at(y, x + 1);
    });
    const double length = error / product(grid, p, q);
    each(u, [&](int y, int x) { u.at(y, x) += length * p.at(y, x), r.at(y, x) -= length * q.at(y, x); });
    const double before = error;
    error = product(grid, r, r);
    each(p, [&](int y, int x) { p.at(y, x) = r.at(y, x) + error / before * p.at(y, x); });
  }

  double hottest = 0;
  each(u, [&](int y, int x) { hottest = std::max(hottest, u.at(y, x)); });
  hottest = grid.combine(hottest, cohort::maximum);
  if (grid.rank() == 0)
    std::cout << rows << " x " << columns << " tiles, " << steps << " steps, hottest point "
              << std::round(10 * hottest) / 10 << '\n';
}
