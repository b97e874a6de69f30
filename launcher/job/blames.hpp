// SPDX-License-Identifier: Apache-2.0
// Whose mistake ended a process, by what the processes report of their own errors. No I/O.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/control/control_link.hpp"

namespace cohort {

class Blames {
 public:
  explicit Blames(int ranks) : said_(static_cast<std::size_t>(ranks)) {}

  void heard(Pid by, Blamed blamed);

  // Describes the end of this process: `ending`, with the uncaught exception or the process's own mistake added.
  std::string words(Pid pid, const std::string& ending) const;

  // The mistake of another process that ended this process, or nothing.
  std::optional<Blamed> behind(Pid pid) const;

  // Whether an uncaught Error of ours, which names its cause, ended this process.
  bool by_error(Pid pid) const { return last_of(pid) != nullptr && last_of(pid)->by == Blamed::By::error; }

 private:
  const std::vector<Blamed>& said_by(Pid pid) const { return said_.at(static_cast<std::size_t>(pid)); }
  const Blamed* last_of(Pid pid) const;  // the report of an uncaught exception, or null

  std::vector<std::vector<Blamed>> said_;  // by pid
};

}  // namespace cohort
