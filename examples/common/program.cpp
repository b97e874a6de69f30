// SPDX-License-Identifier: Apache-2.0
// Exit codes, and complaints that all learn of.
#include "program.hpp"

#include <functional>
#include <iostream>

namespace examples {

namespace {

// All processes read the same arguments and come to the same end; rank 0 speaks.
int work_as(const cohort::Process& self, Arguments& arguments, int argc, char** argv,
            const std::function<void(const cohort::Process&)>& work) {
  const bool speaks = self.pid() == 0;
  try {
    if (const auto help = arguments.read(argc, argv)) {
      if (speaks) std::cout << *help;
    } else {
      work(self);
    }
    return 0;
  } catch (const BadInput& error) {
    if (speaks) std::cerr << arguments.program() << ": " << error.what() << '\n';
    return 2;
  }
}

}  // namespace

int run(Arguments& arguments, int argc, char** argv, const std::function<void(const cohort::Process&)>& work) {
  try {
    const cohort::Process self = cohort::join();
    return work_as(self, arguments, argc, argv, work);
  } catch (const std::exception& error) {
    std::cerr << arguments.program() << ": " << error.what() << '\n';
    return 1;
  }
}

void agree(const cohort::Process& self, const std::string& complaint) {
  const cohort::Group all = self.all();
  const cohort::Rank none = all.size();
  const cohort::Rank speaker = all.combine(complaint.empty() ? none : all.rank(), cohort::minimum);
  if (speaker == none) return;

  std::string message = complaint;
  if (all.size() > 1) message += " (rank " + std::to_string(all.rank()) + " on " + self.host() + ")";
  std::size_t length = message.size();
  all.bcast(length, speaker);
  message.resize(length);
  all.bcast(message, speaker);
  throw BadInput(message);
}

}  // namespace examples
