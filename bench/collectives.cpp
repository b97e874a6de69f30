// Times the collective operations: cohort run -n P bench_collectives [BYTES [REPETITIONS]]
//
// One line each, tab-separated: cohort, operation, p, bytes, repetitions, minimum and median in microseconds. A
// repetition's time is that of the slowest process, after a barrier. Bytes are those of the vector that every process
// holds, or of all blocks together.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <span>
#include <vector>

#include "cohort/cohort.hpp"

namespace {

using Clock = std::chrono::steady_clock;

void time(const cohort::Group& all, const char* operation, std::size_t bytes, int repetitions,
          const std::function<void()>& call) {
  std::vector<double> times_us;
  for (int i = -1; i < repetitions; ++i) {  // the first one makes connections and schedules
    all.sync();
    const auto start = Clock::now();
    call();
    const double mine_us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
    const double slowest_us = all.combine(mine_us, cohort::maximum);
    if (i >= 0) times_us.push_back(slowest_us);
  }
  std::ranges::sort(times_us);
  if (all.rank() != 0) return;
  std::cout << "cohort\t" << operation << '\t' << all.size() << '\t' << bytes << '\t' << repetitions << '\t'
            << times_us.front() << '\t' << times_us[times_us.size() / 2] << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t bytes = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 1 << 20;
  const int repetitions = argc > 2 ? std::max(1, std::atoi(argv[2])) : 10;
  const cohort::Process self = cohort::join();
  const cohort::Group all = self.all();
  const auto p = static_cast<std::size_t>(all.size());
  const std::size_t block = std::max<std::size_t>(1, bytes / sizeof(float) / p);

  std::vector<float> in(block * p, 1.0F), out(block * p);
  const std::span<float> my_in(in.data(), block), my_out(out.data(), block);
  const auto run = [&](const char* operation, const std::function<void()>& call) {
    time(all, operation, in.size() * sizeof(float), repetitions, call);
  };
  run("sync", [&] { all.sync(); });
  run("bcast", [&] { all.bcast(in, 0); });
  run("reduce", [&] { all.reduce(in, out, cohort::sum, 0); });
  run("combine", [&] { all.combine(in, out, cohort::sum); });
  run("scatter", [&] { all.scatter(in, my_out, 0); });
  run("gather", [&] { all.gather(my_in, out, 0); });
  run("concat", [&] { all.concat(my_in, out); });
  run("index", [&] { all.index(in, out); });
  run("reduce_scatter", [&] { all.reduce_scatter(in, my_out, cohort::sum); });
  run("prefix", [&] { all.prefix(in, out, cohort::sum); });
  run("exclusive_prefix", [&] { all.exclusive_prefix(in, out, cohort::sum); });
}
