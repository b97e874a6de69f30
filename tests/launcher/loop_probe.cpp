// SPDX-License-Identifier: Apache-2.0
// A process of a job in the tests of faults: calls a collective again and again, checks every result, and says how it
// ended.
//
//   loop_probe CALLS ELEMENTS        combine, so many times; 0: until something fails, or SIGUSR1 comes. When SIGUSR2
//                                    comes rank 0 says how many there were
//   loop_probe CALLS ELEMENTS ring   the same by messages from rank to rank
//   loop_probe CALLS ELEMENTS apart  combine without rank 0, which another program plays
//   loop_probe CALLS ELEMENTS held   combine; rank 0 reads a line before it joins, and one before it leaves
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "cohort/cohort.hpp"

namespace {

using Values = std::vector<std::int64_t>;

volatile std::sig_atomic_t told_to_end = 0;
volatile std::sig_atomic_t asked = 0;

// Whether somebody has been told to end: the same at all.
bool agree_to_end(const cohort::Group& all) { return all.combine(told_to_end != 0 ? 1 : 0, cohort::maximum) != 0; }

void combine(const cohort::Group& all, Values& values) {
  std::ranges::fill(values, all.rank() + 1);
  all.combine(cohort::in_place(std::span(values)), cohort::sum);
  std::ranges::transform(values, values.begin(),
                         [&](std::int64_t value) { return value - all.size() * (all.size() + 1) / 2; });
}

void pass_on(const cohort::Group& all, Values& values) {
  std::ranges::fill(values, all.rank());
  const cohort::Rank next = (all.rank() + 1) % all.size(), previous = (all.rank() + all.size() - 1) % all.size();
  Values received(values.size());
  all.exchange(std::span<const std::int64_t>(values), next, std::span(received), previous);
  std::ranges::transform(received, values.begin(), [&](std::int64_t value) { return value - previous; });
}

// Of rank 0, which has the job's standard input.
void hold() {
  struct stat input {};
  if (::fstat(STDIN_FILENO, &input) != 0 || !S_ISFIFO(input.st_mode)) return;
  std::cout << "holds" << std::endl;
  std::string line;
  std::getline(std::cin, line);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const long calls = std::stol(words.at(0));
  std::signal(SIGUSR1, [](int) { told_to_end = 1; });
  std::signal(SIGUSR2, [](int) { asked = 1; });
  const std::string way = words.size() > 2 ? words[2] : "combine";
  if (way == "held") hold();
  cohort::Process self = cohort::join();
  const cohort::Group all = way == "apart" ? self.all().subrange(1, 1, self.size() - 1) : self.all();
  Values values(std::stoul(words.at(1)));
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  long done = 0;
  if (all.rank() == 0) std::cout << "begins" << std::endl;
  try {
    for (; calls == 0 || done < calls; ++done) {
      if (asked != 0 && all.rank() == 0) {
        asked = 0;
        std::cout << "so far: " << done << " in " << seconds() << " s" << std::endl;
      }
      if (calls == 0 && done % 100 == 99 && agree_to_end(all)) break;
      way == "ring" ? pass_on(all, values) : combine(all, values);
      if (!std::ranges::all_of(values, [](std::int64_t value) { return value == 0; })) {
        std::cout << "rank " << all.rank() << ": wrong after " << done << std::endl;
        return 8;
      }
    }
  } catch (const cohort::Error& error) {
    std::cout << "rank " << all.rank() << ": error after " << done << ": " << error.what() << std::endl;
    return 9;
  }
  std::cout << "rank " << all.rank() << ": " << done << " in " << seconds() << " s" << std::endl;
  if (way == "held") hold();
}
