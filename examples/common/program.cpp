// SPDX-License-Identifier: Apache-2.0
// Arguments and exit codes.
#include "program.hpp"

#include <CLI/CLI.hpp>
#include <functional>
#include <iostream>

namespace examples {

namespace {

// All processes read the same arguments and come to the same end; rank 0 speaks.
int work_as(const cohort::Process& self, CLI::App& arguments, int argc, char** argv,
            const std::function<void(const cohort::Process&)>& work) {
  const bool speaks = self.pid() == 0;
  try {
    arguments.parse(argc, argv);
    work(self);
    return 0;
  } catch (const CLI::Success&) {  // --help
    if (speaks) std::cout << arguments.help();
    return 0;
  } catch (const CLI::ParseError& error) {
    if (speaks) std::cerr << arguments.get_name() << ": " << error.what() << " (see --help)\n";
  } catch (const BadInput& error) {
    if (speaks) std::cerr << arguments.get_name() << ": " << error.what() << '\n';
  }
  return 2;
}

}  // namespace

int run(CLI::App& arguments, int argc, char** argv, const std::function<void(const cohort::Process&)>& work) {
  try {
    const cohort::Process self = cohort::join();
    return work_as(self, arguments, argc, argv, work);
  } catch (const std::exception& error) {
    std::cerr << arguments.get_name() << ": " << error.what() << '\n';
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
