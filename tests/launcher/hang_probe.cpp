// SPDX-License-Identifier: Apache-2.0
// A program that hangs, in the way that its first argument names: for the tests of what is told about it.
#include <sys/types.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <iostream>
#include <map>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "cohort/cohort.hpp"

namespace {

using cohort::Group;
using cohort::Process;
using cohort::Rank;

[[noreturn]] void compute() {
  for (;;) ::pause();
}

// The signal that tells a process to go on. It is blocked in all threads, so that it waits for who asks for it.
sigset_t go_on() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGUSR1);
  return signals;
}

void compute_until_told() {
  const sigset_t signals = go_on();
  int number = 0;
  ::sigwait(&signals, &number);
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void say(const std::string& line) { std::cout << line + "\n" << std::flush; }

void any_of_two(Process& self) {
  if (self.pid() != 0) {
    self.all().receive<int>(0);
    return;
  }
  int first = 0, second = 0;
  std::vector<cohort::Request> requests;
  requests.push_back(self.all().start().receive(std::span(&first, 1), 1));
  requests.push_back(self.all().start().receive(std::span(&second, 1), 2));
  cohort::wait_any(requests);
}

// The first one sends many messages and computes: they arrive meanwhile.
void burst(Process& self) {
  const Group all = self.all();
  constexpr int messages = 1000;
  all.sync();
  if (self.pid() == 0) {
    say("process " + std::to_string(::getpid()));
    for (int i = 0; i < messages; ++i) all.send(i, 1);
    compute_until_told();
  } else {
    for (int i = 0; i < messages; ++i) {
      if (all.receive<int>(0) != i) return;
    }
    say("all of them");
  }
}

using Programs = std::map<std::string, void (*)(Process&)>;

Programs hangs() {
  return {
      // The last one computes; the others combine in a group of theirs.
      {"combine",
       [](Process& self) {
         const Group all = self.all();
         const Group group = all.partition(0, -self.pid());
         std::vector<int> x(4, 1);
         group.combine(cohort::in_place(x), cohort::sum);
         say("process " + std::to_string(::getpid()));
         if (self.pid() + 1 == self.size()) compute();
         group.combine(cohort::in_place(x), cohort::sum);
       }},
      {"receive",
       [](Process& self) {
         say("process " + std::to_string(::getpid()));
         if (self.pid() != 0) compute();
         self.all().receive<int>(1, cohort::Tag{7});
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
         if (self.pid() + 1 == self.size()) {
           say("left at " + std::to_string(seconds_now()));
           return;
         }
         int x = 1;
         self.all().combine(cohort::in_place(std::span(&x, 1)), cohort::sum);
       }},
      {"leave",
       [](Process& self) {
         say("process " + std::to_string(::getpid()));
         if (self.pid() == 0) compute();
       }},
  };
}

Programs deadlocks() {
  return {
      // Each waits for the next one.
      {"cycle",
       [](Process& self) {
         say("waits from " + std::to_string(seconds_now()));
         self.all().receive<int>((self.pid() + 1) % self.size());
       }},
      {"cycle-when-told",
       [](Process& self) {
         say("process " + std::to_string(self.pid()) + " " + std::to_string(::getpid()));
         if (self.pid() == 1) compute_until_told();
         self.all().receive<int>((self.pid() + 1) % self.size());
       }},
      {"order",
       [](Process& self) {
         const Group first = self.all().partition(0), second = self.all().partition(1);
         (self.pid() == 0 ? first : second).sync();
         (self.pid() == 0 ? second : first).sync();
       }},
      // Each waits for the next one, which has begun with a group of its own.
      {"circle-of-lists",
       [](Process& self) {
         const cohort::Pid me = self.pid(), next = (me + 1) % self.size(),
                           previous = (me + self.size() - 1) % self.size();
         self.group(std::vector{next, me}).sync();
         self.group(std::vector{me, previous}).sync();
       }},
      {"wrong-tag",
       [](Process& self) {
         if (self.pid() == 0) self.all().send(1, 1, cohort::Tag{3});
         if (self.pid() == 1) self.all().receive<int>(0, cohort::Tag{4});
       }},
      {"nobody-receives",
       [](Process& self) {
         const std::vector<char> much(5 << 20);
         self.all().send(much, (self.pid() + 1) % self.size());
       }},
      // The first one needs one message of two; the second waits for the first, the last one computes, or does too.
      {"any-of-computing",
       [](Process& self) {
         if (self.pid() == 2) compute();
         any_of_two(self);
       }},
      {"any-of-waiting", [](Process& self) { any_of_two(self); }},
      {"anybody",
       [](Process& self) {
         int value = 0;
         if (self.pid() == 0) self.all().receive_any(value, cohort::Tag{4});
         self.all().receive<int>(0);
       }},
  };
}

// They look like deadlocks, at least for a while.
Programs others() {
  return {
      {"lists",
       [](Process& self) {
         const std::vector<cohort::Pid> all{0, 1, 2}, some{0, 2};
         self.group(self.pid() == 2 ? some : all).sync();
       }},
      // 0 waits for 3, which waits for 1, which waits for 0.
      {"lists-in-a-circle",
       [](Process& self) {
         const std::vector<cohort::Pid> all{3, 1, 0, 2}, some{0, 1};
         self.group(self.pid() == 1 ? some : all).sync();
       }},
      // A second thread ends when it has been told to; all else waits for ever by then.
      {"second-thread",
       [](Process& self) {
         std::jthread second(compute_until_told);
         say("process " + std::to_string(::getpid()));
         self.all().receive<int>(0);
       }},
      // Rank 3 dies. Rank 0 asks who survives, rank 1 when it has been told to, and rank 2 waits for rank 0 meanwhile.
      {"survivors",
       [](Process& self) {
         const Group group = self.all().partition(self.pid() == 2), pair = self.all().partition(self.pid() % 2);
         if (self.pid() == 3) ::raise(SIGKILL);
         if (self.pid() == 2) {
           pair.receive<int>(0);
           return;
         }
         try {
           group.sync();
         } catch (const cohort::Error&) {
         }
         if (self.pid() == 1) {
           say("process " + std::to_string(::getpid()));
           compute_until_told();
         }
         group.survivors().sync();
         if (self.pid() == 0) pair.send(1, 1);
       }},
      {"burst", burst},
      // Nobody waits for ever: each computes now and then while all others wait.
      {"slow",
       [](Process& self) {
         const Group all = self.all();
         const Rank next = (self.pid() + 1) % self.size(), previous = (self.pid() + self.size() - 1) % self.size();
         for (int round = 0; round < 12; ++round) {
           if (round % self.size() == self.pid()) {
             say("process " + std::to_string(::getpid()));
             compute_until_told();
           }
           if (self.pid() == 0) all.send(round, next);
           all.receive<int>(previous);
           if (self.pid() != 0) all.send(round, next);
           all.combine(round, cohort::sum);
         }
       }},
  };
}

}  // namespace

int main(int argc, char** argv) {
  Programs all = hangs();
  all.merge(deadlocks());
  all.merge(others());
  const auto program = all.find(argc > 1 ? argv[1] : "");
  if (program == all.end()) return 2;
  const sigset_t signals = go_on();
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);  // the threads to come have it from this one
  Process self = cohort::join();
  try {
    program->second(self);
  } catch (const cohort::Error& error) {  // it leaves in order, so that all the others can say theirs
    std::cerr << "error " + std::string(name_of(error.code())) + ": " + error.what() + "\n";
    return 3;
  }
}
