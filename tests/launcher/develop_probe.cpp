// SPDX-License-Identifier: Apache-2.0
// A program whose mistakes or messages its first argument names, for the tests of develop mode in real jobs.
#include <chrono>
#include <csignal>
#include <iostream>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "cohort/cohort.hpp"

namespace {

using cohort::Group;
using cohort::Process;
using cohort::Rank;

void say(const std::string& line) { std::cout << line + "\n" << std::flush; }

// Rank 0 says whom it heard, and all others send, as they come.
void hear_all(Process& self, int messages) {
  const Group all = self.all(), row = all.partition(0);
  if (self.pid() != 0) {
    std::minstd_rand random(std::random_device{}());
    for (int i = 0; i < messages; ++i) {
      for (auto turns = random() % 50; turns > 0; --turns) std::this_thread::yield();
      (i % 2 == 0 ? all : row).send(i, 0, static_cast<cohort::Tag>(i % 3));
    }
    return;
  }
  std::string heard;
  for (int i = 0; i < messages; ++i) {
    for (Rank other = 1; other < self.size(); ++other) {
      int value = -1;
      heard +=
          " " + std::to_string((i % 2 == 0 ? all : row).receive_any(value, static_cast<cohort::Tag>(i % 3)).source);
    }
  }
  say(heard);
}

void give_up_a_receive(const Group& group, cohort::Tag tag) {
  int never = 0;
  try {
    const cohort::Request request = group.start().receive_any(std::span(&never, 1), tag);
    throw 1;
  } catch (int) {
  }
}

void cancel_a_receive(const Group& group, cohort::Tag tag) {
  int never = 0;
  cohort::Request request = group.start().receive_any(std::span(&never, 1), tag);
  if (!request.cancel()) throw std::logic_error("it has taken a message");
}

// Three receives of rank 0 are given up, and one takes a message; if that is early, it is there before all four.
void give_up_and_hear(Process& self, bool early) {
  const Group all = self.all();
  if (early && self.pid() == 1) all.send(5, 0, cohort::Tag{1});
  if (early) all.sync();
  if (self.pid() == 0) {
    give_up_a_receive(all, cohort::Tag{1});
    give_up_a_receive(all, cohort::Tag{2});
    cancel_a_receive(all, cohort::Tag{3});
  }
  if (!early) all.sync();
  if (!early && self.pid() == 1) all.send(5, 0, cohort::Tag{1});
  if (self.pid() != 0) return;
  int value = 0;
  all.receive_any(value, cohort::Tag{1});
  say("heard " + std::to_string(value));
}

const std::map<std::string, void (*)(Process&)> programs = {
    {"right",
     [](Process& self) {
       std::vector<double> x(10, 1);
       self.all().combine(cohort::in_place(x), cohort::sum);
       if (self.pid() == 0) say(std::to_string(static_cast<int>(x[0])));
     }},
    {"operations",
     [](Process& self) {
       std::vector<double> x(4, 1);
       if (self.pid() == 0) self.all().bcast(x, 0);
       self.all().combine(cohort::in_place(x), cohort::sum);
     }},
    // Those that differ are pid 1's.
    {"sizes",
     [](Process& self) {
       std::vector<double> x(self.pid() == 1 ? 5 : 4, 1);
       self.all().combine(cohort::in_place(x), cohort::sum);
     }},
    {"types",
     [](Process& self) {
       std::vector<double> x(4, 1);
       std::vector<float> y(4, 1);
       self.pid() == 1 ? self.all().combine(cohort::in_place(y), cohort::sum)
                       : self.all().combine(cohort::in_place(x), cohort::sum);
     }},
    {"operators",
     [](Process& self) {
       std::vector<double> x(4, 1);
       self.pid() == 1 ? self.all().combine(cohort::in_place(x), cohort::product)
                       : self.all().combine(cohort::in_place(x), cohort::sum);
     }},
    {"roots",
     [](Process& self) {
       std::vector<double> x(4, 1);
       self.all().bcast(x, self.pid() == 1 ? 1 : 0);
     }},
    {"unreceived",
     [](Process& self) {
       if (self.pid() == 0) self.all().send(7, 1, cohort::Tag{3});
     }},
    // The receiver waits for all to leave, while the sender computes.
    {"unreceived-early",
     [](Process& self) {
       if (self.pid() != 0) return;
       self.all().send(7, 1, cohort::Tag{3});
       std::this_thread::sleep_for(std::chrono::milliseconds(700));
     }},
    // Rank 2 dies, and rank 0 drops a request in a group that it is not in.
    {"dropped",
     [](Process& self) {
       const Group group = self.all().partition(self.pid() == 2);
       if (self.pid() == 2) {
         for (const cohort::Rank rank : {0, 1}) self.all().receive<int>(rank);  // they have the group
         ::raise(SIGKILL);
       }
       self.all().send(1, 2);
       int never = 0;
       if (self.pid() == 0) static_cast<void>(group.start().receive(std::span(&never, 1), 1));
     }},
    {"anybody", [](Process& self) { hear_all(self, 20); }},
    {"anybody-less", [](Process& self) { hear_all(self, 10); }},
    {"anybody-more", [](Process& self) { hear_all(self, 30); }},
    {"given-up", [](Process& self) { give_up_and_hear(self, false); }},
    {"given-up-early", [](Process& self) { give_up_and_hear(self, true); }},
    // In run mode too.
    {"same-bytes",
     [](Process& self) {
       std::vector<double> x(4, 1);
       std::vector<float> y(8, 1);
       self.pid() == 1 ? self.all().combine(cohort::in_place(y), cohort::sum)
                       : self.all().combine(cohort::in_place(x), cohort::sum);
       self.all().sync();
     }},
    {"floats-as-ints",
     [](Process& self) {
       if (self.pid() == 0) self.all().send(1.0F, 1);
       if (self.pid() == 1) self.all().receive<int>(0);
     }},
    // These count on buffering, each in its way.
    {"send-before-sync",
     [](Process& self) {
       if (self.pid() == 0) self.all().send(1, 1);
       self.all().sync();
       if (self.pid() == 1) self.all().receive<int>(0);
     }},
    {"send-before-sync-of-others",
     [](Process& self) {
       const Group pair = self.all().partition(self.pid() / 2);
       if (self.pid() == 0) self.all().send(std::vector<int>{}, 1);
       pair.sync();
       if (self.pid() == 1) self.all().receive(std::vector<int>{}, 0);
     }},
    {"sends-face-to-face",
     [](Process& self) {
       if (self.pid() > 1) return;
       self.all().send(1, 1 - self.pid());
       self.all().receive<int>(1 - self.pid());
     }},
    {"ring-of-sends",
     [](Process& self) {
       self.all().send(1, (self.pid() + 1) % self.size());
       self.all().receive<int>((self.pid() + self.size() - 1) % self.size());
     }},
    {"sends-in-another-order",
     [](Process& self) {
       for (const int tag : {1, 2}) {
         if (self.pid() == 0) self.all().send(1, 1, static_cast<cohort::Tag>(tag));
         if (self.pid() == 1) self.all().receive<int>(0, static_cast<cohort::Tag>(3 - tag));
       }
     }},
    // These do not.
    {"started-over-sync",
     [](Process& self) {
       const int one = 1;
       cohort::Request request;
       if (self.pid() == 0) request = self.all().start().send(std::span(&one, 1), 1);
       self.all().sync();
       if (self.pid() == 1) self.all().receive<int>(0);
       request.wait();
     }},
    {"needs-no-buffers",
     [](Process& self) {
       const Group all = self.all();
       const Rank next = (all.rank() + 1) % all.size(), before = (all.rank() + all.size() - 1) % all.size();
       std::vector<int> in(1), out(1);
       for (int i = 0; i < 10; ++i) {
         all.exchange(out, next, in, before);
         cohort::Request request = all.start().receive(in, before, cohort::Tag{1});
         all.send(out, next, cohort::Tag{1});
         request.wait();
         all.combine(cohort::in_place(out), cohort::sum);
         all.send(1, all.rank(), cohort::Tag{2});  // to oneself it is always buffered
         all.receive<int>(all.rank(), cohort::Tag{2});
       }
     }},
    {"stuck",
     [](Process& self) {
       int value = 0;
       if (self.pid() == 0) self.all().receive_any(value, cohort::Tag{1});
       self.all().receive<int>(0);
     }},
};

}  // namespace

int main(int argc, char** argv) {
  const auto program = programs.find(argc > 1 ? argv[1] : "");
  if (program == programs.end()) return 2;
  Process self = cohort::join();
  try {
    program->second(self);
  } catch (const cohort::Error& error) {  // it leaves in order, so that all the others can say theirs
    std::cerr << "error " + std::string(name_of(error.code())) + ": " + error.what() + "\n";
    return 3;
  }
}
