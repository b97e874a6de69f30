// SPDX-License-Identifier: Apache-2.0
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
#include "tests/support/threads.hpp"

namespace cohort::testing {
namespace {

constexpr Pid most_processes = 17;
constexpr std::chrono::seconds longest_run{60};

struct Seeds {
  std::uint64_t first, last;
};

Seeds seeds_of(std::uint64_t usual) {
  if (const char* named = std::getenv("COHORT_SEEDS")) {
    char* end = nullptr;
    const std::uint64_t first = std::strtoull(named, &end, 10);
    return {first, *end == '-' ? std::strtoull(end + 1, nullptr, 10) : first};
  }
  return {1, usual};
}

// The four of modes and barrier in turn; hosts, and a network, that the seed says.
World world_of(Kind kind, std::uint64_t seed, Pid processes) {
  World world{kind, processes, seed % 2 == 0};
  world.develop = seed / 2 % 2 == 1;
  world.synchronous = world.develop && seed / 8 % 2 == 1;
  world.progress_thread = kind != Kind::simulated && seed / 4 % 2 == 1;
  const std::uint64_t dice = Hash().add(seed).value();
  for (Pid left = processes; dice % 3 == 0 && left > 0; left -= world.on_hosts.back())
    world.on_hosts.push_back(std::min(left, static_cast<Pid>(1 + dice / 3 % 4)));
  world.network.seed = seed;
  world.network.jitter = Nanoseconds(dice / 16 % 2 == 0 ? 0 : 300'000);
  world.network.bytes_per_second = std::vector{1e6, 12.5e6, 1.25e9}[dice / 32 % 3];
  return world;
}

// A thread of each process for each program, on groups of its own.
void play_at_once(const std::vector<Program>& programs, Process& self, const Pause& pause) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < programs.size(); ++i) groups.push_back(self.all().partition(0));
  run_in_threads(static_cast<Pid>(programs.size()), [&](Pid number) {
    const auto place = static_cast<std::size_t>(number);
    play(programs[place], self, groups[place], pause);
  });
}

// What goes wrong, or nothing.
std::optional<std::string> failure_of(const std::vector<Program>& programs, const World& world) {
  // Real time is dear: what computes for a second in virtual time does it for a millisecond here.
  const auto part = world.kind == Kind::simulated ? 1 : 1000;
  try {
    run(world, [&](Process& self, const Pause& pause) {
      const Pause shorter = [&](Nanoseconds time) { pause(time / part); };
      if (programs.size() > 1) return play_at_once(programs, self, shorter);
      play(programs.front(), self, self.all(), shorter);
    });
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
      if (failure_of({smaller}, world)) {
        program = smaller;
      } else {
        first += many;
      }
    }
  }
  return program;
}

std::string command(const std::string& test, std::uint64_t seed) {
  return fmt::format("COHORT_SEEDS={} build/release/tests/random/random_programs_test --gtest_filter='{}'", seed, test);
}

std::string this_test() {
  const auto& test = *::testing::UnitTest::GetInstance()->current_test_info();
  return fmt::format("{}.{}", test.test_suite_name(), test.name());
}

// A run that crashes or hangs says which it was.
class Watch {
 public:
  Watch() {
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
    fmt::format_to_n(doing, sizeof doing - 1, "in: {}\n{}", command(this_test(), seed), '\0');
  }

 private:
  static inline char doing[256] = {};
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::uint64_t runs_ = 0;
  std::jthread guard_;
};

class RandomPrograms : public ::testing::TestWithParam<Kind> {};

std::string report(const std::string& failure, const std::vector<Program>& programs, const World& world,
                   std::uint64_t seed) {
  std::string text = fmt::format(
      "{}\nagain: {}\n{}{}{}\n", failure, command(this_test(), seed), world.barrier ? "barrier" : "no barrier",
      world.develop ? world.synchronous ? ", develop mode, synchronous" : ", develop mode" : "",
      world.progress_thread ? ", progress thread" : "");
  for (const Program& program : programs) text += to_string(program);
  return text;
}

TEST_P(RandomPrograms, DoWhatAModelSays) {
  const Kind kind = GetParam();
  const auto [first, last] = seeds_of(kind == Kind::simulated ? 4000 : 200);
  Watch watch;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    watch.begins(seed);
    const Program program = program_of(seed, most_processes);
    const World world = world_of(kind, seed, program.processes);
    if (first == last) fmt::print("{}", to_string(program));
    const std::optional<std::string> failure = failure_of({program}, world);
    if (!failure) continue;
    const Program least = kind == Kind::simulated ? shrunk(program, world) : program;
    FAIL() << report(*failure, {least}, world, seed) << failure_of({least}, world).value_or("");
  }
}

// Threads in groups of their own disturb nobody: each is a program. Lists of processes are no group of one thread's.
TEST_P(RandomPrograms, OfSeveralThreadsDoWhatAModelSays) {
  const Kind kind = GetParam();
  if (kind == Kind::simulated) GTEST_SKIP() << "a process is one thread in virtual time";
  const auto [first, last] = seeds_of(60);
  Watch watch;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    watch.begins(seed);
    const Hash dice = Hash().add(seed).add(1);
    const auto processes = static_cast<Pid>(1 + dice.value() % 6);
    std::vector<Program> programs;
    for (std::uint64_t thread = 0; thread < 2 + dice.value() / 6 % 3; ++thread) {
      programs.push_back(without(program_on(processes, Hash().add(seed).add(thread).value()),
                                 [](const Step& step) { return std::holds_alternative<MakeList>(step.what); }));
    }
    const World world = world_of(kind, seed, processes);
    const std::optional<std::string> failure = failure_of(programs, world);
    ASSERT_FALSE(failure) << report(*failure, programs, world, seed);
  }
}

// A program that counts on buffering: it blocks in a send before a collective in which the receiver waits for the
// sender, and receives only behind it. None if there is no such send in the program.
std::optional<Program> counting_on_buffering(Program program) {
  const auto is_in = [&](GroupNumber group, Pid pid) {
    return std::ranges::find(program.groups[group], pid) != program.groups[group].end();
  };
  for (Step& step : program.steps) {
    auto* const send = std::get_if<Send>(&step.what);
    if (send == nullptr || send->from == send->to || send->met < step.number) continue;
    const std::vector<Pid>& members = program.groups[send->group];
    const Pid sender = members[static_cast<std::size_t>(send->from)];
    const Pid receiver = members[static_cast<std::size_t>(send->to)];
    const bool held_up = std::ranges::any_of(program.steps, [&](const Step& between) {
      const auto* const collective = std::get_if<Collective>(&between.what);
      return collective != nullptr && step.number < between.number && between.number < send->met &&
             collective->form == Form::blocking && is_in(collective->group, sender) &&
             is_in(collective->group, receiver);
    });
    if (!held_up) continue;
    send->form = Form::blocking;
    return program;
  }
  return {};
}

// Case 95: synchronous sends find what only buffers hold together. Where messages are small enough, it runs without.
TEST(SynchronousSends, Case95FindEveryProgramThatCountsOnBuffering) {
  constexpr std::uint64_t seeds = 200;
  int found = 0, run_with_buffers = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const std::optional<Program> program = counting_on_buffering(program_of(seed, most_processes));
    if (!program) continue;
    World world = world_of(Kind::simulated, seed, program->processes);
    world.develop = world.synchronous = true;
    world.network.patience = std::chrono::seconds(5);
    const std::string failure = failure_of({*program}, world).value_or("");
    EXPECT_NE(failure.find("every rank waits and nothing is on its way"), std::string::npos) << seed << failure;
    world.synchronous = false;
    ++found;
    run_with_buffers += failure_of({*program}, world) ? 0 : 1;
  }
  EXPECT_GE(found, 20);
  EXPECT_GE(run_with_buffers, found / 2);
}

INSTANTIATE_TEST_SUITE_P(Everywhere, RandomPrograms, ::testing::ValuesIn(every_kind),
                         [](const auto& info) { return to_string(info.param); });

}  // namespace
}  // namespace cohort::testing
