// Whose mistake ends a process: what processes have said of the errors that have hit them. No I/O.
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

  // The words for this process's end: with those of the exception that nobody caught, or of its own mistake.
  std::string words(Pid pid, const std::string& ending) const;

  // Another process's mistake that ended this one, or nothing.
  std::optional<Blamed> behind(Pid pid) const;

  // Whether an uncaught Error of ours, which names its cause, ended this process.
  bool by_error(Pid pid) const { return last_of(pid) != nullptr && last_of(pid)->by == Blamed::By::error; }

 private:
  const std::vector<Blamed>& said_by(Pid pid) const { return said_.at(static_cast<std::size_t>(pid)); }
  const Blamed* last_of(Pid pid) const;  // of an exception that nobody caught

  std::vector<std::vector<Blamed>> said_;  // by pid
};

}  // namespace cohort
