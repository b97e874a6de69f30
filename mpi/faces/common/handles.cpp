// SPDX-License-Identifier: Apache-2.0
#include "mpi/faces/common/handles.hpp"

#include <fmt/format.h>

namespace cohort::mpi::faces {

void refuse_null(const KindFacts& facts) {
  throw Mistake(facts.error, fmt::format("the {} is {}", facts.name, facts.null_name));
}

void refuse_handle(const KindFacts& facts) {
  throw Mistake(facts.error, fmt::format("a handle is not a {}: it was never made, or has been freed", facts.name));
}

void refuse_null_pointer() { throw Mistake(abi::err_arg, "a pointer to a result, or to an array, is null"); }

std::size_t number_of_peers(const Communicator& communicator, Peers which) {
  if (which == Peers::all) return static_cast<std::size_t>(communicator.peers());
  const Neighbours neighbours = neighbours_in(communicator.topology, communicator.rank);
  return which == Peers::sources ? neighbours.sources.size() : neighbours.destinations.size();
}

}  // namespace cohort::mpi::faces
