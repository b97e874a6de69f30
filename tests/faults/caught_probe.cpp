// SPDX-License-Identifier: Apache-2.0
// Rank 2 ends without leaving, while rank 0 waits for it, and rank 1 computes until it has ended. Both are connected to
// it.
//
//   caught_probe throw SECONDS   by an exception that it catches; it has so much to do yet
//   caught_probe kill
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>

#include "cohort/cohort.hpp"

namespace {

struct Caught {};

void end(const std::string& how) {
  if (how == "kill") ::raise(SIGKILL);
  throw Caught();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const cohort::Process self = cohort::join();
    const cohort::Group all = self.all();
    if (self.pid() == 2) {
      all.send(::getpid(), 1);
      all.send(0, 0);
      for (const int other : {0, 1}) all.receive<bool>(other);  // they have what was sent
      end(argv[1]);
    } else if (self.pid() == 1) {
      const auto process = all.receive<pid_t>(2);
      pollfd ending{static_cast<int>(::syscall(SYS_pidfd_open, process, 0)), POLLIN, 0};
      all.send(true, 2);
      ::poll(&ending, 1, -1);
    } else {
      all.receive<int>(2);
      all.send(true, 2);
      try {
        all.receive<int>(2);
      } catch (const cohort::Error& error) {
        std::cout << error.what() << std::endl;
      }
    }
  } catch (const Caught&) {
    if (argc > 2) std::this_thread::sleep_for(std::chrono::duration<double>(std::atof(argv[2])));
    return 3;
  }
}
