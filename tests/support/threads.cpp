// SPDX-License-Identifier: Apache-2.0
#include "tests/support/threads.hpp"

#include <exception>
#include <thread>
#include <vector>

namespace cohort::testing {

void run_in_threads(Pid ranks, const std::function<void(Pid me)>& body) {
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(ranks));
  {
    std::vector<std::jthread> threads;
    for (Pid me = 0; me < ranks; ++me) {
      threads.emplace_back([&, me] {
        try {
          body(me);
        } catch (...) {
          failures[static_cast<std::size_t>(me)] = std::current_exception();
        }
      });
    }
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace cohort::testing
