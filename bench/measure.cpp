#include "bench/measure.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace cohort::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int warm_up_calls = 2;
constexpr std::size_t small_bytes = 1024;
constexpr int calls_of_small = 20;

double us_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

}  // namespace

Measurement measure(const Group& group, const Call& call, const Vectors& vectors, const Patience& patience) {
  const int calls = vectors.in.size_bytes() <= small_bytes ? calls_of_small : 1;
  for (int i = 0; i < warm_up_calls; ++i) call.run(group, vectors);
  const std::string algorithm = group.latest_algorithm();

  std::vector<double> times_us;
  const auto begin = Clock::now();
  for (bool again = true; again;) {
    group.sync();
    const auto start = Clock::now();
    for (int i = 0; i < calls; ++i) call.run(group, vectors);
    const double mine_us = us_since(start) / (calls * call.messages);
    times_us.push_back(group.combine(mine_us, maximum));

    const auto count = static_cast<int>(times_us.size());
    again =
        count < most_repetitions && (count < patience.least_repetitions || us_since(begin) < patience.seconds * 1e6);
    group.bcast(again, 0);  // the clocks differ
  }
  std::ranges::sort(times_us);
  return {static_cast<int>(times_us.size()), times_us.front(), times_us[times_us.size() / 2], algorithm};
}

}  // namespace cohort::bench
