// SPDX-License-Identifier: Apache-2.0
// Hints: keys and values, in the order in which the keys were first set.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mpi/core/object.hpp"

namespace cohort::mpi {

class Info : public Object {
 public:
  Info() : Object(Kind::info) {}
  static Info& environment();  // MPI_INFO_ENV

  void set(std::string_view key, std::string_view value);
  const std::string* get(std::string_view key) const;  // nullptr: none
  bool remove(std::string_view key);
  const std::vector<std::pair<std::string, std::string>>& entries() const { return entries_; }
  void assign(const Info& other) { entries_ = other.entries_; }

 private:
  std::vector<std::pair<std::string, std::string>> entries_;
};

}  // namespace cohort::mpi
