// SPDX-License-Identifier: Apache-2.0
// K-means that survives the death of processes. The points have three clusters; each rank looks at its share of them.
#include <array>
#include <cmath>
#include <cohort/cohort.hpp>
#include <iostream>
#include <limits>

constexpr long points = 300000;
constexpr int clusters = 3, steps = 20;

struct Point {
  double x = 0, y = 0;
};

// Point i of all. A real program would read it from a file that all hosts have.
Point read_point(long i) {
  const long cluster = i % clusters;
  const double angle = 2.4 * i, radius = 2.2 * std::sqrt(i / clusters % 1000 / 1000.0);
  return {2.0 + 3.0 * cluster + radius * std::cos(angle), 1.0 + 2.0 * (cluster % 2) + radius * std::sin(angle)};
}

struct State {  // all that is needed to go on; every rank has it
  int step = 0;
  std::array<Point, clusters> centres{{{0, 0}, {0, 1}, {0, 2}}};
};

// One step: each point belongs to its nearest centre, then each centre moves to the middle of its points.
void move_centres(const cohort::Group& group, State& state) {
  std::array<double, 3 * clusters> sums{};  // x, y and number of each cluster
  for (long i = group.rank(); i < points; i += group.size()) {
    const Point point = read_point(i);
    int nearest = 0;
    double least = std::numeric_limits<double>::max();
    for (int k = 0; k < clusters; ++k) {
      const double distance = std::hypot(point.x - state.centres[k].x, point.y - state.centres[k].y);
      if (distance < least) least = distance, nearest = k;
    }
    sums[3 * nearest] += point.x;
    sums[3 * nearest + 1] += point.y;
    sums[3 * nearest + 2] += 1;
  }
  group.combine(cohort::in_place(sums), cohort::sum);
  for (int k = 0; k < clusters; ++k)
    if (sums[3 * k + 2] > 0) state.centres[k] = {sums[3 * k] / sums[3 * k + 2], sums[3 * k + 1] / sums[3 * k + 2]};
  ++state.step;
}

// The survivors form a group. Some may be one step ahead: all take the state of the one that is furthest.
void agree(cohort::Group& group, State& state) {
  group = group.survivors();
  const cohort::Located<int> furthest =
      group.combine(cohort::Located<int>{state.step, group.rank()}, cohort::maximum_at);
  State agreed = state;  // a copy: another process may die during the bcast
  group.bcast(agreed, furthest.location);
  state = agreed;
}

int main() {
  cohort::Process self = cohort::join();
  cohort::Group group = self.all();
  State state;
  for (bool lost = false, done = false; !done;) {
    try {
      if (lost) agree(group, state);
      lost = false;
      while (state.step < steps) move_centres(group, state);
      group.sync();  // behind it, each rank knows that all are done
      done = true;
    } catch (const cohort::Error& error) {
      if (!error.failure()) throw;  // a mistake of this program, not a loss
      lost = true;
    }
  }

  if (group.rank() != 0) return 0;
  std::cout << group.size() << " processes, " << state.step << " steps\n";
  for (const Point& centre : state.centres)
    std::cout << std::round(100 * centre.x) / 100 << ' ' << std::round(100 * centre.y) / 100 << '\n';
}
