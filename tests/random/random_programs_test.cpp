// A program nobody could have foreseen, thousands of times: from each seed a program, and a world that it runs in.
//
// COHORT_SEEDS=FIRST[-LAST] names the seeds to run instead; --gtest_filter='*simulated' the transport. A single seed's
// program is printed. What fails in the simulation is printed without the steps that it fails without.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "groups/hash.hpp"
#include "tests/random/player.hpp"

namespace cohort::testing {
namespace {

constexpr Pid most_processes = 17;
constexpr std::chrono::seconds longest_run{60};

struct Seeds {
  std::uint64_t first, last;
};

Seeds seeds_of(Kind kind) {
  if (const char* named = std::getenv("COHORT_SEEDS")) {
    char* end = nullptr;
    const std::uint64_t first = std::strtoull(named, &end, 10);
    return {first, *end == '-' ? std::strtoull(end + 1, nullptr, 10) : first};
  }
  return {1, kind == Kind::simulated ? 4000u : 200u};
}

// The four of modes and barrier in turn; hosts, and a network, that the seed says.
World world_of(Kind kind, std::uint64_t seed, Pid processes) {
  World world{kind, processes, seed % 2 == 0};
  world.develop = seed / 2 % 2 == 1;
  const std::uint64_t dice = Hash().add(seed).value();
  for (Pid left = processes; dice % 3 == 0 && left > 0; left -= world.on_hosts.back())
    world.on_hosts.push_back(std::min(left, static_cast<Pid>(1 + dice / 3 % 4)));
  world.network.seed = seed;
  world.network.jitter = Nanoseconds(dice / 16 % 2 == 0 ? 0 : 300'000);
  world.network.bytes_per_second = std::vector{1e6, 12.5e6, 1.25e9}[dice / 32 % 3];
  return world;
}

// What goes wrong, or nothing.
std::optional<std::string> failure_of(const Program& program, const World& world) {
  // Real time is dear: what computes for a second in virtual time does it for a millisecond here.
  const auto part = world.kind == Kind::simulated ? 1 : 1000;
  try {
    run(world,
        [&](Process& self, const Pause& pause) { play(program, self, [&](Nanoseconds time) { pause(time / part); }); });
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

// Without the steps without which it fails too.
Program shrunk(Program program, const World& world) {
  for (std::size_t many = program.steps.size(); many > 0; many /= 2) {
    for (std::size_t first = 0; first < program.steps.size();) {
      const StepNumber begin = program.steps[first].number;
      const StepNumber end = program.steps[std::min(first + many, program.steps.size()) - 1].number;
      const Program smaller =
          without(program, [&](const Step& step) { return begin <= step.number && step.number <= end; });
      if (failure_of(smaller, world)) {
        program = smaller;
      } else {
        first += many;
      }
    }
  }
  return program;
}

std::string command(Kind kind, std::uint64_t seed) {
  return fmt::format("COHORT_SEEDS={} build/release/tests/random/random_programs_test --gtest_filter='*{}'", seed,
                     to_string(kind));
}

// A run that crashes or hangs says which it was.
class Watch {
 public:
  explicit Watch(Kind kind) : kind_(kind) {
    for (const int signal : {SIGABRT, SIGSEGV}) {
      std::signal(signal, [](int number) {
        static_cast<void>(!write(STDERR_FILENO, doing, std::char_traits<char>::length(doing)));
        std::signal(number, SIG_DFL);
        std::raise(number);
      });
    }
    guard_ = std::jthread([this](const std::stop_token& stop) {
      std::unique_lock lock(mutex_);
      while (!stop.stop_requested()) {
        const std::uint64_t runs = runs_;
        const auto moved = [&] { return runs_ != runs; };
        if (!changed_.wait_for(lock, stop, longest_run, moved) && !stop.stop_requested()) std::abort();
      }
    });
  }
  void begins(std::uint64_t seed) {
    const std::lock_guard lock(mutex_);
    ++runs_;
    changed_.notify_all();
    fmt::format_to_n(doing, sizeof doing - 1, "in: {}\n{}", command(kind_, seed), '\0');
  }

 private:
  static inline char doing[256] = {};
  const Kind kind_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::uint64_t runs_ = 0;
  std::jthread guard_;
};

class RandomPrograms : public ::testing::TestWithParam<Kind> {};

TEST_P(RandomPrograms, DoWhatAModelSays) {
  const Kind kind = GetParam();
  const auto [first, last] = seeds_of(kind);
  Watch watch(kind);
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    watch.begins(seed);
    const Program program = program_of(seed, most_processes);
    const World world = world_of(kind, seed, program.processes);
    if (first == last) fmt::print("{}", to_string(program));
    const std::optional<std::string> failure = failure_of(program, world);
    if (!failure) continue;
    const Program least = kind == Kind::simulated ? shrunk(program, world) : program;
    FAIL() << *failure << "\nagain: " << command(kind, seed) << "\n"
           << (world.barrier ? "barrier" : "no barrier") << (world.develop ? ", develop mode" : "") << ", "
           << to_string(least) << failure_of(least, world).value_or("");
  }
}

INSTANTIATE_TEST_SUITE_P(Everywhere, RandomPrograms, ::testing::ValuesIn(every_kind),
                         [](const auto& info) { return to_string(info.param); });

}  // namespace
}  // namespace cohort::testing
