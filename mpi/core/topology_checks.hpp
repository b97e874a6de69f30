// SPDX-License-Identifier: Apache-2.0
// What the functions of all topologies share.
#pragma once

#include <algorithm>
#include <vector>

#include "mpi/core/communicator.hpp"
#include "mpi/core/mistake.hpp"

namespace cohort::mpi {

// Throws Mistake(err_topology) if the communicator has another topology. `name`: "Cartesian".
template <class T>
const T& topology_of(const Communicator& communicator, const char* name) {
  const T* const topology = std::get_if<T>(&communicator.topology);
  if (topology == nullptr)
    throw Mistake(abi::err_topology, std::string("the communicator has no topology of the kind ") + name);
  return *topology;
}

inline void check_intra(const Communicator& communicator) {
  check(!communicator.is_inter(), abi::err_comm, "an intercommunicator can't have a topology");
}

inline void check_list(int length, const int* list, const char* name) {
  if (length < 0) throw Mistake(abi::err_arg, std::string("the length of ") + name + " is negative");
  if (length > 0 && list == nullptr) throw Mistake(abi::err_arg, std::string(name) + " is null");
}

inline void check_rank(const Communicator& communicator, int rank) {
  if (rank >= 0 && rank < communicator.size) return;
  throw Mistake(abi::err_rank, "rank " + std::to_string(rank) +
                                   " is out of range: the communicator has the ranks 0 to " +
                                   std::to_string(communicator.size - 1));
}

inline void copy_first(const std::vector<int>& values, int room, int* out) {
  std::copy_n(values.begin(), std::min<std::size_t>(values.size(), static_cast<std::size_t>(room)), out);
}

}  // namespace cohort::mpi
