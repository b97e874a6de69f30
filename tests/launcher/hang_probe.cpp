// A program that hangs, in the way that its first argument names: for the tests of what is told about it.
#include <sys/types.h>
#include <unistd.h>

#include <csignal>
#include <iostream>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "cohort/cohort.hpp"

namespace {

using cohort::Group;
using cohort::Process;

[[noreturn]] void compute() {
  for (;;) ::pause();
}

void say(const std::string& line) { std::cout << line + "\n" << std::flush; }

std::map<std::string, void (*)(Process&)> programs() {
  return {
      // The last one computes; the others combine in a group of theirs.
      {"combine",
       [](Process& self) {
         const Group all = self.all();
         const Group group = all.partition(0, -self.pid());
         std::vector<int> x(4, 1);
         group.combine(x, cohort::sum);
         say("process " + std::to_string(::getpid()));
         if (self.pid() + 1 == self.size()) compute();
         group.combine(x, cohort::sum);
       }},
      {"receive",
       [](Process& self) {
         say("process " + std::to_string(::getpid()));
         if (self.pid() != 0) compute();
         self.all().receive<int>(1, 7);
       }},
      {"stopped",
       [](Process& self) {
         self.all().sync();
         say("process " + std::to_string(::getpid()));
         if (self.pid() == 1) ::raise(SIGSTOP);
         self.all().sync();
       }},
      // The last one leaves; the others combine.
      {"leave-alone",
       [](Process& self) {
         if (self.pid() + 1 == self.size()) return;
         int x = 1;
         self.all().combine(std::span(&x, 1), cohort::sum);
       }},
      {"leave",
       [](Process& self) {
         say("process " + std::to_string(::getpid()));
         if (self.pid() == 0) compute();
       }},
  };
}

}  // namespace

int main(int argc, char** argv) {
  const auto all = programs();
  const auto program = all.find(argc > 1 ? argv[1] : "");
  if (program == all.end()) return 2;
  try {
    Process self = cohort::join();
    program->second(self);
  } catch (const cohort::Error& error) {
    std::cerr << "error " + std::string(name_of(error.code())) + ": " + error.what() + "\n";
    return 3;
  }
  return 0;
}
