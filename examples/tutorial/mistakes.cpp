// SPDX-License-Identifier: Apache-2.0
// Three mistakes, by name: size, cycle, death. Rank 0 shows what the error tells it.
#include <cohort/cohort.hpp>
#include <csignal>
#include <iostream>
#include <string>
#include <vector>

void show(const cohort::Error& error) {
  std::cout << "code: " << name_of(error.code()) << '\n';
  if (error.operation()) std::cout << "call: " << name_of(*error.operation()) << " at " << error.where() << '\n';
  if (error.rank() >= 0) std::cout << "about: rank " << error.rank() << " on " << error.host() << '\n';
  if (error.failure()) std::cout << "loss: it " << error.failure()->words << '\n';
  std::cout << std::flush;
}

int main(int argc, char** argv) {
  cohort::Process self = cohort::join();
  cohort::Group all = self.all();
  const std::string mistake = argc > 1 ? argv[1] : "";

  std::vector<double> x(mistake == "size" && all.rank() == 2 ? 5 : 4);
  if (mistake == "death" && all.rank() == 1) std::raise(SIGKILL);
  try {
    if (mistake == "cycle") all.receive(x, (all.rank() + 1) % all.size());  // all receive, nobody sends
    all.combine(cohort::in_place(x), cohort::sum);
  } catch (const cohort::Error& error) {
    if (all.rank() == 0) show(error);
    return 3;
  }
}
