// SPDX-License-Identifier: Apache-2.0
// Messages between members of a communicator outside of the program's tags: what collectives that no schedule can say
// are made of (gatherv and scatterv, whose sizes only the root knows; neighbourhoods; intercommunicators).
#pragma once

#include <vector>

#include "cohort/detail/call.hpp"
#include "mpi/core/communicator.hpp"
#include "runtime/transport/frame.hpp"

namespace cohort::mpi {

// All sends and receives of one call, which every member makes in the same order as its other collectives. All of them
// start at once, so nothing waits for another member's progress.
class Exchange {
 public:
  Exchange(Communicator& communicator, const char* name) : communicator_(communicator), name_(name) {}

  // `peer`: a rank of the peers (the remote side of an intercommunicator). A null process is left out. Several
  // messages between two members match in order.
  void send(int peer, const ConstPieces& data);
  void receive(int peer, const Pieces& memory);

  // Takes the communicator's next number, and starts all. The memory must stay until all are complete.
  std::vector<cohort::Request> start();
  // The same for calls that members make in any order: in a group with the ranks of the communicator's, for this
  // exchange alone.
  std::vector<cohort::Request> start_in(const cohort::Group& group) { return start(group, 0); }

 private:
  std::vector<cohort::Request> start(const cohort::Group& group, std::uint32_t number);

  Communicator& communicator_;
  const char* const name_;
  std::vector<std::pair<int, ConstPieces>> sends_;
  std::vector<std::pair<int, Pieces>> receives_;
};

}  // namespace cohort::mpi
