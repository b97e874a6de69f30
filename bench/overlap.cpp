// SPDX-License-Identifier: Apache-2.0
#include "bench/overlap.hpp"

#include <algorithm>
#include <chrono>

namespace cohort::bench {
namespace {

constexpr int pieces = 256;
constexpr int trials = 3;

// It needs a core, but neither memory nor the library. The compiler can't know its first and last values.
void compute(std::size_t steps) {
  static volatile double begin_and_end = 0.5;
  double value = begin_and_end;
  for (std::size_t i = 0; i < steps; ++i) value = value * 0.999999 + 1e-6;
  begin_and_end = value;
}

// The least time of a few trials, each as long as on its slowest process.
template <class Call>
double slowest_s(const Group& group, const Call& call) {
  double least_s = 0;
  for (int trial = 0; trial < trials; ++trial) {
    group.sync();
    const auto start = std::chrono::steady_clock::now();
    call();
    const double mine_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double all_s = group.combine(mine_s, maximum);
    least_s = trial == 0 ? all_s : std::min(least_s, all_s);
  }
  return least_s;
}

template <class Between>
void compute_pieces(const Vectors& vectors, const Between& between) {
  for (int piece = 0; piece < pieces; ++piece) {
    compute(vectors.work.steps);
    between();
  }
}

}  // namespace

Work as_long_as_a_combine(const Group& group, const Vectors& vectors) {
  const double combine_s = slowest_s(group, [&] { group.combine(vectors.in, vectors.out, sum); });
  Vectors timed = vectors;
  timed.work.steps = 1;
  for (;; timed.work.steps *= 4) {
    const double computation_s = slowest_s(group, [&] { computation(group, timed); });
    if (computation_s < combine_s / 4) continue;
    const double steps = static_cast<double>(timed.work.steps) * combine_s / computation_s;
    return {std::max<std::size_t>(1, static_cast<std::size_t>(steps))};
  }
}

void computation(const Group&, const Vectors& vectors) {
  compute_pieces(vectors, [] {});
}

void overlap(const Group& group, const Vectors& vectors) {
  Request request = group.start().combine(vectors.in, vectors.out, sum);
  compute_pieces(vectors, [] {});
  request.wait();
}

void overlap_tested(const Group& group, const Vectors& vectors) {
  Request request = group.start().combine(vectors.in, vectors.out, sum);
  compute_pieces(vectors, [&] { request.test(); });
  request.wait();
}

}  // namespace cohort::bench
