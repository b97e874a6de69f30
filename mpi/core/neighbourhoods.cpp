// SPDX-License-Identifier: Apache-2.0
// Neighbourhood collectives: messages along the edges of the communicator's topology.
#include "mpi/core/collectives.hpp"
#include "mpi/core/topology.hpp"

namespace cohort::mpi {
namespace {

class Neighbourhood {
 public:
  explicit Neighbourhood(const Communicator& on)
      : neighbours_(neighbours_in(on.topology, on.rank)), cartesian_(std::holds_alternative<Cartesian>(on.topology)) {}

  int sources() const { return static_cast<int>(neighbours_.sources.size()); }
  int destinations() const { return static_cast<int>(neighbours_.destinations.size()); }

  // The same to all.
  void send(Plan& plan, const Data& data) const {
    const detail::Memory memory = plan.reads(data);
    for (const int destination : neighbours_.destinations) plan.send(destination, memory);
  }
  void send(Plan& plan, std::span<const Data> blocks) const {
    for (std::size_t i = 0; i < blocks.size(); ++i) plan.send(neighbours_.destinations[i], blocks[i]);
  }

  // Messages between two processes match in order. In a cyclic dimension of a Cartesian topology that has one or two
  // processes, both neighbours are the same process; what it sends downwards comes first, and comes from above.
  void receive(Plan& plan, std::span<const Data> blocks) const {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const std::size_t from = cartesian_ ? i ^ 1 : i;
      plan.receive(neighbours_.sources[from], blocks[from]);
    }
  }

 private:
  const Neighbours neighbours_;
  const bool cartesian_;
};

}  // namespace

Plan plan_neighbor_allgather(const char* name, const void* sendbuf, Count sendcount, Datatype* sendtype, void* recvbuf,
                             Count recvcount, Datatype* recvtype, Communicator& on) {
  const Neighbourhood around(on);
  Plan plan(name, on);
  around.send(plan, data_at(sendbuf, sendcount, sendtype, "sendbuf"));
  around.receive(plan, equal_blocks(data_at(recvbuf, recvcount, recvtype, "recvbuf"), around.sources()));
  return plan;
}

Plan plan_neighbor_allgatherv(const char* name, const void* sendbuf, Count sendcount, Datatype* sendtype, void* recvbuf,
                              Numbers recvcounts, Numbers displs, Datatype* recvtype, Communicator& on) {
  const Neighbourhood around(on);
  Plan plan(name, on);
  around.send(plan, data_at(sendbuf, sendcount, sendtype, "sendbuf"));
  around.receive(plan, blocks_at(recvbuf, recvcounts, displs, recvtype, around.sources(), "recvbuf"));
  return plan;
}

Plan plan_neighbor_alltoall(const char* name, const void* sendbuf, Count sendcount, Datatype* sendtype, void* recvbuf,
                            Count recvcount, Datatype* recvtype, Communicator& on) {
  const Neighbourhood around(on);
  Plan plan(name, on);
  around.send(plan, equal_blocks(data_at(sendbuf, sendcount, sendtype, "sendbuf"), around.destinations()));
  around.receive(plan, equal_blocks(data_at(recvbuf, recvcount, recvtype, "recvbuf"), around.sources()));
  return plan;
}

Plan plan_neighbor_alltoallv(const char* name, const void* sendbuf, Numbers sendcounts, Numbers sdispls,
                             Datatype* sendtype, void* recvbuf, Numbers recvcounts, Numbers rdispls, Datatype* recvtype,
                             Communicator& on) {
  const Neighbourhood around(on);
  Plan plan(name, on);
  around.send(plan, blocks_at(sendbuf, sendcounts, sdispls, sendtype, around.destinations(), "sendbuf"));
  around.receive(plan, blocks_at(recvbuf, recvcounts, rdispls, recvtype, around.sources(), "recvbuf"));
  return plan;
}

Plan plan_neighbor_alltoallw(const char* name, const void* sendbuf, Numbers sendcounts, Numbers sdispls,
                             std::span<Datatype* const> sendtypes, void* recvbuf, Numbers recvcounts, Numbers rdispls,
                             std::span<Datatype* const> recvtypes, Communicator& on) {
  const Neighbourhood around(on);
  Plan plan(name, on);
  around.send(plan, blocks_at(sendbuf, sendcounts, sdispls, sendtypes, around.destinations(), "sendbuf"));
  around.receive(plan, blocks_at(recvbuf, recvcounts, rdispls, recvtypes, around.sources(), "recvbuf"));
  return plan;
}

}  // namespace cohort::mpi
