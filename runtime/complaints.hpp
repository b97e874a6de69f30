// SPDX-License-Identifier: Apache-2.0
// Mistakes of the program that no call is left to report: leave() reports them.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cohort/types.hpp"

namespace cohort::detail {

class Complaints {
 public:
  void add(std::string what) { all_.push_back(std::move(what)); }
  // About a message that nobody here has received. Its sender is told, too, when all leave.
  void add_of_message(Pid from, std::string what) {
    ignored_.insert(from);
    add(std::move(what));
  }

  const std::string& latest() const { return all_.back(); }
  const std::set<Pid>& ignored() const { return ignored_; }  // senders of messages that nobody received

  void check() const;  // throws Error(mismatch) that names the first of them, if there are any

 private:
  std::vector<std::string> all_;
  std::set<Pid> ignored_;
};

}  // namespace cohort::detail
