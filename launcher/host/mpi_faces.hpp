// SPDX-License-Identifier: Apache-2.0
// Cohort's own MPI libraries on this host: programs of Open MPI and MPICH find them in front of the system's ones.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cohort {

class MpiFaces {
 public:
  MpiFaces() = default;  // none: cohort run --no-mpi

  // Those in the folder lib/cohort/mpi beside the folder of this program.
  static MpiFaces installed();
  // The same, in another folder: each of its folders holds the libraries of one interface.
  explicit MpiFaces(const std::string& folder);

  bool has(std::string_view library) const;  // "libmpi.so.40"
  bool holds(std::string_view path) const;   // whether a loaded library is one of these

  // For the dynamic linker: the folders, and behind them what the user has named.
  std::string library_path(const std::string& of_user) const;

 private:
  std::vector<std::string> folders_;
};

}  // namespace cohort
