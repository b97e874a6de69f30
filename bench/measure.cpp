// SPDX-License-Identifier: Apache-2.0
#include "bench/measure.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <random>
#include <thread>

namespace cohort::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t small_bytes = 1024;
constexpr int calls_of_small = 20;
constexpr double between_tellings_us = 0.4e6;
constexpr double far_behind = 2;                        // times the fastest handle's time
constexpr auto notice = std::chrono::microseconds(50);  // how long before the instant of the start it is named

using Microseconds = std::chrono::duration<double, std::micro>;

double us_since(Clock::time_point start) { return Microseconds(Clock::now() - start).count(); }

// The process that comes last to a barrier leaves it first, earlier by the time of a message, which is as long as a
// short call. A process that hears of the instant too late has begun late.
//
// The read of a second short message in a row from one process also sends TCP's acknowledgement, which takes more than
// half a message's time. So that none is owed, whatever was sent before, all processes answer once and are told twice.
// That is enough for two without barriers (docs/decisions/fair_comparisons.md).
Clock::time_point start_together(const Group& all) {
  all.reduce(0, sum, 0);
  auto ticks = (Clock::now() + notice).time_since_epoch().count();
  for (int time = 0; time < 2; ++time) all.bcast(ticks, 0);
  const Clock::time_point instant{Clock::duration(ticks)};
  while (Clock::now() < instant) {
  }
  return instant;
}

// From the first process's start to the last one's end.
double span_us(const Group& all, Clock::time_point start, Clock::time_point end) {
  const auto first = all.combine(start.time_since_epoch().count(), minimum);
  const auto last = all.combine(end.time_since_epoch().count(), maximum);
  return Microseconds(Clock::duration(last - first)).count();
}

// One handle's times so far.
struct Entrant {
  const Group* group;
  Measurement measured;
  std::vector<double> times_us;
  bool runs = true;  // another repetition
};

// A handle whose algorithm can't do this, as its first call says, is not measured.
template <typename Work>
void run_unless_refused(Entrant& entrant, Work work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::argument) throw;
    entrant.measured.refusal = error.what();
    entrant.runs = false;
  }
}

void repeat(Entrant& entrant, const Group& all, const Call& call, int calls, const Vectors& vectors,
            const Patience& patience) {
  if (patience.pause > 0) std::this_thread::sleep_for(std::chrono::duration<double>(patience.pause));
  all.sync();
  const auto start = patience.timing == Timing::together ? start_together(all) : Clock::now();
  for (int i = 0; i < calls; ++i) call.run(*entrant.group, vectors);
  const auto end = Clock::now();
  if (entrant.times_us.empty()) entrant.measured.algorithm = entrant.group->latest_algorithm();
  const double us = patience.timing == Timing::own ? all.combine(Microseconds(end - start).count(), maximum)
                                                   : span_us(all, start, end);
  entrant.times_us.push_back(us / (calls * call.messages));
}

double median_of(std::vector<double> times_us) {
  const auto middle = times_us.begin() + static_cast<std::ptrdiff_t>(times_us.size() / 2);
  std::ranges::nth_element(times_us, middle);
  return *middle;
}

// The fastest handle's time so far. 0 if there is only one: to compute it would cost that handle's next call its
// caches, and contestants in other programs nothing.
double least_median_of(const std::vector<Entrant>& entrants) {
  if (entrants.size() < 2) return 0;
  double least_us = 0;
  for (const Entrant& entrant : entrants) {
    if (!entrant.runs) continue;
    const double median_us = median_of(entrant.times_us);
    least_us = least_us == 0 ? median_us : std::min(least_us, median_us);
  }
  return least_us;
}

// Which handles go on. The times are the same at every process, except for the clock that ends everything.
bool drop_the_slow(std::vector<Entrant>& entrants, const Group& all, const Patience& patience, bool time_is_up) {
  const double least_us = least_median_of(entrants);
  all.bcast(time_is_up, 0);
  bool any = false;
  for (Entrant& entrant : entrants) {
    const auto count = static_cast<int>(entrant.times_us.size());
    if (!entrant.runs) continue;
    const bool enough = time_is_up || (least_us > 0 && median_of(entrant.times_us) > far_behind * least_us);
    entrant.runs = count < most_repetitions && (count < patience.least_repetitions || !enough);
    any = any || entrant.runs;
  }
  return any;
}

}  // namespace

bool have_one_clock(const Group& all) {
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
  const std::size_t machine = std::hash<std::string>()(boot);
  return all.combine(machine, minimum) == all.combine(machine, maximum);
}

std::vector<Measurement> measure(const Group& all, std::span<const Group> handles, const Call& call,
                                 const Vectors& vectors, const Patience& patience,
                                 const std::function<void(double share)>& on_progress) {
  std::vector<Entrant> entrants;
  for (const Group& handle : handles) {
    run_unless_refused(entrants.emplace_back(Entrant{&handle, {}, {}}), [&] {
      for (int i = 0; i < patience.warm_up; ++i) call.run(handle, vectors);
    });
  }
  const int calls = patience.calls > 0 ? patience.calls : vectors.in.size_bytes() <= small_bytes ? calls_of_small : 1;
  const double most_us = patience.seconds * 1e6 * static_cast<double>(handles.size());
  std::mt19937 drawn;  // the same numbers at all processes
  std::vector<Entrant*> turn;
  for (Entrant& entrant : entrants) turn.push_back(&entrant);
  const auto begin = Clock::now();
  double told_us = 0;
  do {
    if (const double us = us_since(begin); us - told_us > between_tellings_us) {
      on_progress(std::min(us / most_us, 1.0));
      told_us = us;
    }
    std::ranges::shuffle(turn, drawn);
    for (Entrant* entrant : turn) {
      if (!entrant->runs) continue;
      run_unless_refused(*entrant, [&] { repeat(*entrant, all, call, calls, vectors, patience); });
    }
  } while (drop_the_slow(entrants, all, patience, us_since(begin) >= most_us));

  std::vector<Measurement> measurements;
  for (Entrant& entrant : entrants) {
    Measurement& measured = measurements.emplace_back(std::move(entrant.measured));
    if (entrant.times_us.empty()) continue;
    measured.repetitions = static_cast<int>(entrant.times_us.size());
    measured.minimum_us = *std::ranges::min_element(entrant.times_us);
    measured.median_us = median_of(std::move(entrant.times_us));
  }
  return measurements;
}

}  // namespace cohort::bench
