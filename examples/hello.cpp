// SPDX-License-Identifier: Apache-2.0
// Every process says who and where it is; together they count themselves.
#include <cohort/cohort.hpp>
#include <cstring>
#include <iostream>

int main(int argc, char** argv) {
  cohort::Process self = cohort::join();  // launched: the job; alone: a job of one process
  const cohort::Group all = self.all();

  if (argc > 1) {
    const bool help = std::strcmp(argv[1], "--help") == 0 || std::strcmp(argv[1], "-h") == 0;
    if (all.rank() == 0) (help ? std::cout : std::cerr) << "hello: usage: hello   (there are no arguments)\n";
    return help ? 0 : 2;
  }

  std::cout << "hello from rank " << all.rank() << " of " << all.size() << " on " << self.host() << std::endl;
  const int processes = all.combine(1, cohort::sum);
  if (all.rank() == 0) std::cout << processes << " said hello" << std::endl;
}
