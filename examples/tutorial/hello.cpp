// SPDX-License-Identifier: Apache-2.0
// Each process says who it is.
#include <cohort/cohort.hpp>
#include <iostream>

int main() {
  cohort::Process self = cohort::join();  // waits until all processes of the job are there
  cohort::Group all = self.all();
  std::cout << "hello from rank " << all.rank() << " of " << all.size() << '\n';
}  // the end of `self` waits until all processes leave
