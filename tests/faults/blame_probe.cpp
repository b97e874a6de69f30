// SPDX-License-Identifier: Apache-2.0
// Rank 2 makes a mistake, and nobody catches what comes of it.
//
//   blame_probe MISTAKE [HOW]   HOW the others let the error pass: see passes()
#include <unistd.h>

#include <array>
#include <chrono>
#include <csetjmp>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "cohort/cohort.hpp"

namespace {

using cohort::Group;
using cohort::Rank;

constexpr Rank culprit = 2;

// An operator of one type at all ranks, which may do something with the sum.
struct Add {
  std::function<int(int)> then;
  int operator()(int a, int b) const { return then ? then(a + b) : a + b; }
};

void combine(const Group& all, const std::function<int(int)>& then) { all.combine(1, cohort::ordered(Add{then})); }

std::string mistake;

// The others take part in the culprit's call, and do so rightly.
void work(const Group& all) {
  if (mistake.starts_with("operator")) combine(all, nullptr);
  for (;;) all.sync();
}

struct Cleanup {
  const Group& all;
  ~Cleanup() { work(all); }  // NOLINT: it is to end the process
};

// A request, with a receive in it that would never have ended. Returns a group of its own.
Group drop(const Group& all) {
  static int never = 0;
  Group twin = all.subrange(0, 1, all.size());
  const cohort::Request request = all.start().receive(std::span(&never, 1), 0, cohort::Tag{5});
  return twin;
}

std::jmp_buf back;

void jump_out(const Group& all) {
  if (setjmp(back) == 0) combine(all, [](int) -> int { std::longjmp(back, 1); });  // NOLINT: that is the mistake
}

const std::map<std::string, std::function<void(const Group&)>>& mistakes() {
  static const std::map<std::string, std::function<void(const Group&)>> all{
      {"argument", [](const Group& all) { all.send(1, 99); }},
      {"truncated",
       [](const Group& all) {
         std::array<int, 3> three{};
         all.send(three, culprit);
         all.receive<int>(culprit);
       }},
      {"mismatch", [](const Group& all) { all.combine(1, cohort::sum); }},
      {"dropped",
       [](const Group& all) {
         const Group pair = drop(all);
         pair.receive<int>(0);  // until somebody has ended by it
       }},
      {"dropped-and-exits",
       [](const Group& all) {
         const Group pair = drop(all);
         try {
           pair.receive<int>(0);
         } catch (const cohort::Error&) {
           std::_Exit(7);
         }
       }},
      {"operator-throws",
       [](const Group& all) { combine(all, [](int) -> int { throw std::runtime_error("no such number"); }); }},
      {"operator-calls",
       [](const Group& all) { combine(all, [&](int sum) { return all.combine(sum, cohort::sum); }); }},
      {"operator-jumps",
       [](const Group& all) {
         jump_out(all);
         try {
           all.sync();
         } catch (const cohort::Error& error) {
           std::cout << error.what() << std::endl;
         }
         ::pause();
       }},
      {"operator-jumps-to-the-end", jump_out},
      {"operator-exits", [](const Group& all) { combine(all, [](int) -> int { std::exit(4); }); }},
  };
  return all;
}

const std::map<std::string, std::function<void(const Group&)>>& passes() {
  static const std::map<std::string, std::function<void(const Group&)>> all{
      {"plainly", work},
      {"in a thread", [](const Group& all) { std::thread([&] { work(all); }).join(); }},
      {"in a destructor", [](const Group& all) { const Cleanup cleanup{all}; }},
      {"nested",
       [](const Group& all) {
         try {
           work(all);
         } catch (const cohort::Error&) {
           std::throw_with_nested(std::logic_error("step 3 failed"));
         }
       }},
      {"in another's words",
       [](const Group& all) {
         try {
           work(all);
         } catch (const cohort::Error& error) {
           throw std::runtime_error("step 3: " + std::string(error.what()));
         }
       }},
      {"in other words",
       [](const Group& all) {
         try {
           work(all);
         } catch (const cohort::Error&) {
           throw std::runtime_error("step 3 failed");
         }
       }},
      {"with a handler",
       [](const Group& all) {
         std::set_terminate([] { std::_Exit(5); });
         work(all);
       }},
      {"by status",
       [](const Group& all) {
         try {
           work(all);
         } catch (const cohort::Error&) {
           std::_Exit(3);
         }
       }},
      {"in two groups",
       [](const Group& all) {
         const Group twin = all.by("");
         cohort::Request one = all.start().sync(), two = twin.start().sync();
         two.wait();
         one.wait();
         work(all);
       }},
  };
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  mistake = argv[1];
  const std::string how = argc > 2 ? argv[2] : "plainly";
  std::optional<cohort::Process> self(cohort::join());
  const Group all = self->all();
  all.sync();
  if (all.rank() == culprit) {
    mistakes().at(mistake)(all);
    if (mistake != "operator-jumps-to-the-end") ::pause();
    return 0;
  }
  passes().at(how)(all);
}
