// SPDX-License-Identifier: Apache-2.0
// A program that was linked to another MPI: says how many it takes the job for, and ends with its standard input.
#include <iostream>
#include <string>

extern "C" int other_mpi_size();

int main() {
  std::cout << "one of " << other_mpi_size() << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
  }
}
