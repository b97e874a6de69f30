// SPDX-License-Identifier: Apache-2.0
// MPI's collective functions. One description of each makes its three forms: blocking, non-blocking and persistent.
#pragma once

#include <span>

#include "mpi/core/communicator.hpp"
#include "mpi/core/info.hpp"
#include "mpi/core/plan.hpp"

namespace cohort::mpi {

// MPI_Xxx(arguments...)
template <class... Arguments>
class Blocking {
 public:
  constexpr Blocking(const char* name, Plan (*describe)(const char*, Arguments...))
      : name_(name), describe_(describe) {}
  void operator()(Arguments... arguments) const { describe_(name_, arguments...).run(); }

 private:
  const char* name_;
  Plan (*describe_)(const char*, Arguments...);
};

// MPI_Ixxx(arguments..., request)
template <class... Arguments>
class Started {
 public:
  constexpr Started(const char* name, Plan (*describe)(const char*, Arguments...)) : name_(name), describe_(describe) {}
  void operator()(Arguments... arguments, Request*& request) const { request = describe_(name_, arguments...).start(); }

 private:
  const char* name_;
  Plan (*describe_)(const char*, Arguments...);
};

// MPI_Xxx_init(arguments..., info, request). No hint has a meaning.
template <class... Arguments>
class Kept {
 public:
  constexpr Kept(const char* name, Plan (*describe)(const char*, Arguments...)) : name_(name), describe_(describe) {}
  void operator()(Arguments... arguments, Info*, Request*& request) const {
    request = describe_(name_, arguments...).keep();
  }

 private:
  const char* name_;
  Plan (*describe_)(const char*, Arguments...);
};

// The descriptions: the parameters of MPI's functions in their order. `name`: of the function that is called. A type
// may be null where MPI ignores it: in place, at ranks that are not the root, where there are no elements. All throw
// Mistake.
Plan plan_barrier(const char* name, Communicator& on);
Plan plan_bcast(const char* name, void* buffer, Count count, Datatype& type, int root, Communicator& on);
Plan plan_gather(const char* name, const void* sendbuf, Count sendcount, Datatype* sendtype, void* recvbuf,
                 Count recvcount, Datatype* recvtype, int root, Communicator& on);
Plan plan_gatherv(const char* name, const void* sendbuf, Count sendcount, Datatype* sendtype, void* recvbuf,
                  Numbers recvcounts, Numbers displs, Datatype* recvtype, int root, Communicator& on);
Plan plan_scatter(const char* name, const void* sendbuf, Count sendcount, Datatype* sendtype, void* recvbuf,
                  Count recvcount, Datatype* recvtype, int root, Communicator& on);
Plan plan_scatterv(const char* name, const void* sendbuf, Numbers sendcounts, Numbers displs, Datatype* sendtype,
                   void* recvbuf, Count recvcount, Datatype* recvtype, int root, Communicator& on);
Plan plan_allgather(const char* name, const void* sendbuf, Count sendcount, Datatype* sendtype, void* recvbuf,
                    Count recvcount, Datatype* recvtype, Communicator& on);
Plan plan_allgatherv(const char* name, const void* sendbuf, Count sendcount, Datatype* sendtype, void* recvbuf,
                     Numbers recvcounts, Numbers displs, Datatype* recvtype, Communicator& on);
Plan plan_alltoall(const char* name, const void* sendbuf, Count sendcount, Datatype* sendtype, void* recvbuf,
                   Count recvcount, Datatype* recvtype, Communicator& on);
Plan plan_alltoallv(const char* name, const void* sendbuf, Numbers sendcounts, Numbers sdispls, Datatype* sendtype,
                    void* recvbuf, Numbers recvcounts, Numbers rdispls, Datatype* recvtype, Communicator& on);
Plan plan_alltoallw(const char* name, const void* sendbuf, Numbers sendcounts, Numbers sdispls,
                    std::span<Datatype* const> sendtypes, void* recvbuf, Numbers recvcounts, Numbers rdispls,
                    std::span<Datatype* const> recvtypes, Communicator& on);
Plan plan_reduce(const char* name, const void* sendbuf, void* recvbuf, Count count, Datatype& type, Op& op, int root,
                 Communicator& on);
Plan plan_allreduce(const char* name, const void* sendbuf, void* recvbuf, Count count, Datatype& type, Op& op,
                    Communicator& on);
Plan plan_reduce_scatter_block(const char* name, const void* sendbuf, void* recvbuf, Count recvcount, Datatype& type,
                               Op& op, Communicator& on);
Plan plan_reduce_scatter(const char* name, const void* sendbuf, void* recvbuf, Numbers recvcounts, Datatype& type,
                         Op& op, Communicator& on);
Plan plan_scan(const char* name, const void* sendbuf, void* recvbuf, Count count, Datatype& type, Op& op,
               Communicator& on);
Plan plan_exscan(const char* name, const void* sendbuf, void* recvbuf, Count count, Datatype& type, Op& op,
                 Communicator& on);
Plan plan_neighbor_allgather(const char* name, const void* sendbuf, Count sendcount, Datatype* sendtype, void* recvbuf,
                             Count recvcount, Datatype* recvtype, Communicator& on);
Plan plan_neighbor_allgatherv(const char* name, const void* sendbuf, Count sendcount, Datatype* sendtype, void* recvbuf,
                              Numbers recvcounts, Numbers displs, Datatype* recvtype, Communicator& on);
Plan plan_neighbor_alltoall(const char* name, const void* sendbuf, Count sendcount, Datatype* sendtype, void* recvbuf,
                            Count recvcount, Datatype* recvtype, Communicator& on);
Plan plan_neighbor_alltoallv(const char* name, const void* sendbuf, Numbers sendcounts, Numbers sdispls,
                             Datatype* sendtype, void* recvbuf, Numbers recvcounts, Numbers rdispls, Datatype* recvtype,
                             Communicator& on);
Plan plan_neighbor_alltoallw(const char* name, const void* sendbuf, Numbers sendcounts, Numbers sdispls,
                             std::span<Datatype* const> sendtypes, void* recvbuf, Numbers recvcounts, Numbers rdispls,
                             std::span<Datatype* const> recvtypes, Communicator& on);

inline constexpr Blocking barrier("MPI_Barrier", plan_barrier);
inline constexpr Blocking bcast("MPI_Bcast", plan_bcast);
inline constexpr Blocking gather("MPI_Gather", plan_gather);
inline constexpr Blocking gatherv("MPI_Gatherv", plan_gatherv);
inline constexpr Blocking scatter("MPI_Scatter", plan_scatter);
inline constexpr Blocking scatterv("MPI_Scatterv", plan_scatterv);
inline constexpr Blocking allgather("MPI_Allgather", plan_allgather);
inline constexpr Blocking allgatherv("MPI_Allgatherv", plan_allgatherv);
inline constexpr Blocking alltoall("MPI_Alltoall", plan_alltoall);
inline constexpr Blocking alltoallv("MPI_Alltoallv", plan_alltoallv);
inline constexpr Blocking alltoallw("MPI_Alltoallw", plan_alltoallw);
inline constexpr Blocking reduce("MPI_Reduce", plan_reduce);
inline constexpr Blocking allreduce("MPI_Allreduce", plan_allreduce);
inline constexpr Blocking reduce_scatter_block("MPI_Reduce_scatter_block", plan_reduce_scatter_block);
inline constexpr Blocking reduce_scatter("MPI_Reduce_scatter", plan_reduce_scatter);
inline constexpr Blocking scan("MPI_Scan", plan_scan);
inline constexpr Blocking exscan("MPI_Exscan", plan_exscan);
inline constexpr Blocking neighbor_allgather("MPI_Neighbor_allgather", plan_neighbor_allgather);
inline constexpr Blocking neighbor_allgatherv("MPI_Neighbor_allgatherv", plan_neighbor_allgatherv);
inline constexpr Blocking neighbor_alltoall("MPI_Neighbor_alltoall", plan_neighbor_alltoall);
inline constexpr Blocking neighbor_alltoallv("MPI_Neighbor_alltoallv", plan_neighbor_alltoallv);
inline constexpr Blocking neighbor_alltoallw("MPI_Neighbor_alltoallw", plan_neighbor_alltoallw);

inline constexpr Started ibarrier("MPI_Ibarrier", plan_barrier);
inline constexpr Started ibcast("MPI_Ibcast", plan_bcast);
inline constexpr Started igather("MPI_Igather", plan_gather);
inline constexpr Started igatherv("MPI_Igatherv", plan_gatherv);
inline constexpr Started iscatter("MPI_Iscatter", plan_scatter);
inline constexpr Started iscatterv("MPI_Iscatterv", plan_scatterv);
inline constexpr Started iallgather("MPI_Iallgather", plan_allgather);
inline constexpr Started iallgatherv("MPI_Iallgatherv", plan_allgatherv);
inline constexpr Started ialltoall("MPI_Ialltoall", plan_alltoall);
inline constexpr Started ialltoallv("MPI_Ialltoallv", plan_alltoallv);
inline constexpr Started ialltoallw("MPI_Ialltoallw", plan_alltoallw);
inline constexpr Started ireduce("MPI_Ireduce", plan_reduce);
inline constexpr Started iallreduce("MPI_Iallreduce", plan_allreduce);
inline constexpr Started ireduce_scatter_block("MPI_Ireduce_scatter_block", plan_reduce_scatter_block);
inline constexpr Started ireduce_scatter("MPI_Ireduce_scatter", plan_reduce_scatter);
inline constexpr Started iscan("MPI_Iscan", plan_scan);
inline constexpr Started iexscan("MPI_Iexscan", plan_exscan);
inline constexpr Started ineighbor_allgather("MPI_Ineighbor_allgather", plan_neighbor_allgather);
inline constexpr Started ineighbor_allgatherv("MPI_Ineighbor_allgatherv", plan_neighbor_allgatherv);
inline constexpr Started ineighbor_alltoall("MPI_Ineighbor_alltoall", plan_neighbor_alltoall);
inline constexpr Started ineighbor_alltoallv("MPI_Ineighbor_alltoallv", plan_neighbor_alltoallv);
inline constexpr Started ineighbor_alltoallw("MPI_Ineighbor_alltoallw", plan_neighbor_alltoallw);

inline constexpr Kept barrier_init("MPI_Barrier_init", plan_barrier);
inline constexpr Kept bcast_init("MPI_Bcast_init", plan_bcast);
inline constexpr Kept gather_init("MPI_Gather_init", plan_gather);
inline constexpr Kept gatherv_init("MPI_Gatherv_init", plan_gatherv);
inline constexpr Kept scatter_init("MPI_Scatter_init", plan_scatter);
inline constexpr Kept scatterv_init("MPI_Scatterv_init", plan_scatterv);
inline constexpr Kept allgather_init("MPI_Allgather_init", plan_allgather);
inline constexpr Kept allgatherv_init("MPI_Allgatherv_init", plan_allgatherv);
inline constexpr Kept alltoall_init("MPI_Alltoall_init", plan_alltoall);
inline constexpr Kept alltoallv_init("MPI_Alltoallv_init", plan_alltoallv);
inline constexpr Kept alltoallw_init("MPI_Alltoallw_init", plan_alltoallw);
inline constexpr Kept reduce_init("MPI_Reduce_init", plan_reduce);
inline constexpr Kept allreduce_init("MPI_Allreduce_init", plan_allreduce);
inline constexpr Kept reduce_scatter_block_init("MPI_Reduce_scatter_block_init", plan_reduce_scatter_block);
inline constexpr Kept reduce_scatter_init("MPI_Reduce_scatter_init", plan_reduce_scatter);
inline constexpr Kept scan_init("MPI_Scan_init", plan_scan);
inline constexpr Kept exscan_init("MPI_Exscan_init", plan_exscan);
inline constexpr Kept neighbor_allgather_init("MPI_Neighbor_allgather_init", plan_neighbor_allgather);
inline constexpr Kept neighbor_allgatherv_init("MPI_Neighbor_allgatherv_init", plan_neighbor_allgatherv);
inline constexpr Kept neighbor_alltoall_init("MPI_Neighbor_alltoall_init", plan_neighbor_alltoall);
inline constexpr Kept neighbor_alltoallv_init("MPI_Neighbor_alltoallv_init", plan_neighbor_alltoallv);
inline constexpr Kept neighbor_alltoallw_init("MPI_Neighbor_alltoallw_init", plan_neighbor_alltoallw);

}  // namespace cohort::mpi
