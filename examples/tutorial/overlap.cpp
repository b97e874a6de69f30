// SPDX-License-Identifier: Apache-2.0
// Heat along a rod. While the values at the ends of a part are on their way, each rank computes the inner points.
#include <algorithm>
#include <cmath>
#include <cohort/cohort.hpp>
#include <iostream>
#include <optional>
#include <vector>

constexpr int length = 24000;  // points of the rod

int main() {
  cohort::Process self = cohort::join();
  cohort::Grid all = self.all().grid({self.size()});  // a line of all ranks
  const std::optional<cohort::Rank> left = all.open_neighbour(0, -1), right = all.open_neighbour(0, +1);

  const int n = length / all.size();
  std::vector<double> now(n + 2, 0.0), next = now;  // 1 to n are ours; 0 and n + 1 are the neighbours'
  if (!left) now[0] = next[0] = 100;                // the left end of the rod is hot

  // The same exchanges in each step, so they are prepared once. They read and write `now`, which must stay where it is.
  std::vector<cohort::Persistent> exchanges;
  exchanges.push_back(all.prepare().exchange(now[1], left, now[n + 1], right));
  exchanges.push_back(all.prepare().exchange(now[n], right, now[0], left));

  const auto relax = [&](int i) { next[i] = now[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]); };
  double change = 0;
  for (int step = 1; step <= 2000; ++step) {
    std::vector<cohort::Request> requests;
    for (cohort::Persistent& exchange : exchanges) requests.push_back(exchange.start());
    for (int i = 2; i < n; ++i) relax(i);  // needs no neighbour
    cohort::wait_all(requests);
    relax(1);
    relax(n);
    change = std::abs(next[1] - now[1]);
    std::copy(next.begin() + 1, next.end() - 1, now.begin() + 1);
  }

  cohort::Future<double> largest = all.start().combine(change, cohort::maximum);
  double heat = 0;  // computed while the combine goes on
  for (int i = 1; i <= n; ++i) heat += now[i];
  change = largest.wait();
  heat = all.combine(heat, cohort::sum);
  if (all.rank() == 0) std::cout << "heat in the rod: " << std::round(heat) << ", last change " << change << '\n';
}
