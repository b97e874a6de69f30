// SPDX-License-Identifier: Apache-2.0
// A process of a job in the tests of faults: calls collectives on three groups until one of them fails, and says how,
// in one line of JSON for each call that failed.
//
//   fault_probe CULPRITS HOW AT [OPERATION ALGORITHM BYTES]
//   fault_probe CULPRITS HOW AT idle
//
// Ranks of CULPRITS ("1,4") do HOW at their call number AT; "none" and "wait" for faults that come from outside. The
// calls are every collective in turn, or this one by this algorithm; or all have spoken with all, and each waits for a
// message that nobody sends, ranks 1 and 2 for one of the other.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <numeric>
#include <sstream>
#include <utility>

#include "bench/calls.hpp"
#include "cohort/cohort.hpp"

namespace {

using cohort::Group;
using cohort::Pid;

std::vector<Pid> pids_of(const std::string& list) {
  std::vector<Pid> pids;
  std::istringstream text(list);
  for (std::string word; std::getline(text, word, ',');) pids.push_back(std::stoi(word));
  return pids;
}

double now_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Memory until there is none.
[[noreturn]] void eat() {
  for (std::vector<std::vector<char>> blocks;;) blocks.emplace_back(1 << 20, 'x');
}

void perish(const std::string& how) {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  static const std::map<std::string, void (*)()> ways = {
      {"kill", [] { ::raise(SIGKILL); }},
      {"stop", [] { ::raise(SIGSTOP); }},
      {"abort", [] { std::abort(); }},
      {"segv", [] { ::raise(SIGSEGV); }},
      {"exit-0", [] { ::_exit(0); }},
      {"exit-3", [] { ::_exit(3); }},
      {"throw", [] { throw "nobody catches this"; }},
      {"eat", [] { eat(); }},
      {"wait", [] {}},
  };
  ways.at(how)();
}

// All that a survivor is told.
void say(Pid me, const char* what, const cohort::Error& error) {
  std::ostringstream line;
  line << "{\"rank\": " << me << ", \"what\": \"" << what << "\", \"at\": " << std::fixed << now_s() << ", \"code\": \""
       << cohort::name_of(error.code()) << "\", \"peer\": " << error.pid();
  if (const cohort::Failure* failure = error.failure()) {
    line << ", \"number\": " << failure->number << ", \"pid\": " << failure->pid << ", \"host\": \"" << failure->host
         << "\", \"incarnation\": " << failure->incarnation << ", \"cause\": " << static_cast<int>(failure->cause)
         << ", \"status\": " << failure->status << ", \"words\": \"" << failure->words << "\", \"seen_by\": \""
         << failure->seen_by << "\", \"when\": " << 1e-6 * static_cast<double>(failure->when_us);
  }
  line << ", \"text\": \"" << error.what() << "\"}\n";
  std::cout << line.str() << std::flush;
}

template <class Call>
void expect_failure(Pid me, const char* what, const Call& call) {
  try {
    call();
    std::cout << "{\"rank\": " << me << ", \"what\": \"" << what << "\", \"code\": \"none\"}\n" << std::flush;
  } catch (const cohort::Error& error) {
    say(me, what, error);
  }
}

using Calls = std::function<void(const Group& group, int i)>;

// Each collective in turn, with data of all sizes.
void call_every(const Group& group, int i) {
  const std::size_t size = std::size_t{1} << (i * 5 % 17);
  const auto p = static_cast<std::size_t>(group.size());
  std::vector<double> block(size, 1), blocks(size * p, 1), other(size * p);
  const cohort::Rank root = i % group.size();
  switch (i % 8) {
    case 0:
      return group.combine(cohort::in_place(block), cohort::sum);
    case 1:
      return group.bcast(block, root);
    case 2:
      return group.reduce(block, std::span(other).first(size), cohort::sum, root);
    case 3:
      return group.concat(block, blocks);
    case 4:
      return group.index(blocks, other);
    case 5:
      return group.scatter(blocks, block, root);
    case 6:
      return group.gather(block, blocks, root);
    default:
      return group.prefix(cohort::in_place(block), cohort::sum);
  }
}

Calls calls_of(const std::string& operation, std::size_t bytes) {
  return [call = cohort::bench::call_of(operation), elements = bytes / sizeof(float), in = std::vector<float>(),
          out = std::vector<float>()](const Group& group, int) mutable {
    const auto p = static_cast<std::size_t>(group.size());
    const std::size_t block = elements / p + 1;
    in.resize(block * p);
    out.resize(block * p);
    call.run(group, {in, out, std::span(in).first(block), std::span(out).first(block)});
  };
}

Calls talk_then_wait() {
  return [met = false](const Group& group, int) mutable {
    if (std::exchange(met, true)) return static_cast<void>(group.receive<int>(group.rank() == 1 ? 2 : 1));
    for (cohort::Rank other = 0; other < group.size(); ++other) group.send(1, other);
    for (cohort::Rank other = 0; other < group.size(); ++other) group.receive<int>(other);
  };
}

// Ends this process if the algorithm can't do what it is to do here.
void expect_able(const Group& group, const Calls& calls) {
  try {
    calls(group, 0);
  } catch (const cohort::Error& error) {
    if (error.code() != cohort::ErrorCode::argument) throw;
    std::cout << "{\"rank\": " << group.rank() << ", \"what\": \"unable\"}\n" << std::flush;
    std::_Exit(0);
  }
}

int run(const std::vector<Pid>& culprits, const std::string& how, int at, const std::string& algorithm,
        const Calls& calls) {
  const cohort::Process self = cohort::join();
  const Group all = self.all();
  const Group by = algorithm.empty() ? all : all.by(algorithm);
  expect_able(by, calls);
  const Group half = all.subrange(self.pid() % 2, 2, (self.size() + 1 - self.pid() % 2) / 2);
  std::vector<Pid> list(static_cast<std::size_t>(self.size()));
  std::iota(list.begin(), list.end(), 0);
  const auto is_culprit = [&](Pid pid) { return std::ranges::find(culprits, pid) != culprits.end(); };
  std::erase_if(list, is_culprit);
  const bool culprit = is_culprit(self.pid());
  const Group innocent = culprit ? half : self.group(list);
  // A half without a culprit would wait for its members that have left the loop.
  const std::vector<Pid> members = half.members();
  const auto lost = std::ranges::find_if(members, is_culprit);
  const bool holds = lost != members.end();
  all.sync();
  std::cout << "{\"rank\": " << self.pid() << ", \"what\": \"begun\", \"process\": " << ::getpid() << "}\n"
            << std::flush;
  try {
    for (int i = 0;; ++i) {
      if (culprit && i == at) {
        std::ostringstream line;
        line << "{\"rank\": " << self.pid() << ", \"what\": \"perishes\", \"at\": " << std::fixed << now_s() << "}\n";
        std::cout << line.str() << std::flush;
        perish(how);
      }
      calls(by, i);
      if (holds && i % 4 == 0) calls(half, i / 4);
    }
  } catch (const cohort::Error& error) {
    say(self.pid(), "pending", error);
  }
  expect_failure(self.pid(), "later", [&] { all.sync(); });
  expect_failure(self.pid(), "message", [&] { all.send(1, (self.pid() + 1) % self.size()); });
  if (holds) {
    // What has left the loop may not have been the loss of one of the half, whose living members may be in the loop
    // yet: another collective there would be a mismatch with theirs.
    const auto rank = static_cast<cohort::Rank>(lost - members.begin());
    expect_failure(self.pid(), "half", [&] { half.receive<int>(rank); });
    expect_failure(self.pid(), "later on half", [&] { half.sync(); });
  }
  if (!culprit && !culprits.empty()) expect_failure(self.pid(), "innocent", [&] { innocent.sync(); });
  std::_Exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4 && argc != 5 && argc != 7) return 2;
  const std::string culprits = argv[1];
  const bool one = argc == 7;
  return run(culprits == "none" ? std::vector<Pid>() : pids_of(culprits), argv[2], std::atoi(argv[3]),
             one ? argv[5] : "",
             one         ? calls_of(argv[4], std::stoul(argv[6]))
             : argc == 5 ? talk_then_wait()
                         : call_every);
}
