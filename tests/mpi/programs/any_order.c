// SPDX-License-Identifier: Apache-2.0
// Persistent collectives of one communicator: all ranks make them in the same order, but each rank starts them in an
// order of its own, and waits for them in another.
#include "check.h"

#if MPI_VERSION >= 4

enum { MOST_RANKS = 16, STARTS = 3 };
enum Kind { BCAST, BARRIER, SUM, LARGEST, GATHERV, ALLTOALL, NEIGHBOURS, KINDS };

// What this rank has in a call, and what it gets.
struct Numbers {
  int mine[MOST_RANKS], got[MOST_RANKS];
};

static int counts[MOST_RANKS], places[MOST_RANKS];

static int value_of(int start, int kind, int rank, int to) {
  struct Dice dice = dice_of((uint64_t)(start * KINDS + kind), (uint64_t)(rank * MOST_RANKS + to));
  return below(&dice, 1000);
}

static void make(MPI_Comm ring, int root, struct Numbers* of, MPI_Request* requests) {
  MPI_Bcast_init(of[BCAST].got, 1, MPI_INT, root, ring, MPI_INFO_NULL, &requests[BCAST]);
  MPI_Barrier_init(ring, MPI_INFO_NULL, &requests[BARRIER]);
  MPI_Allreduce_init(of[SUM].mine, of[SUM].got, 1, MPI_INT, MPI_SUM, ring, MPI_INFO_NULL, &requests[SUM]);
  MPI_Allreduce_init(of[LARGEST].mine, of[LARGEST].got, 1, MPI_INT, MPI_MAX, ring, MPI_INFO_NULL, &requests[LARGEST]);
  MPI_Gatherv_init(of[GATHERV].mine, 1, MPI_INT, of[GATHERV].got, counts, places, MPI_INT, root, ring, MPI_INFO_NULL,
                   &requests[GATHERV]);
  MPI_Alltoall_init(of[ALLTOALL].mine, 1, MPI_INT, of[ALLTOALL].got, 1, MPI_INT, ring, MPI_INFO_NULL,
                    &requests[ALLTOALL]);
  MPI_Neighbor_allgather_init(of[NEIGHBOURS].mine, 1, MPI_INT, of[NEIGHBOURS].got, 1, MPI_INT, ring, MPI_INFO_NULL,
                              &requests[NEIGHBOURS]);
}

static void fill(int start, int root, struct Numbers* of) {
  for (int kind = 0; kind < KINDS; ++kind) {
    for (int to = 0; to < ranks; ++to) {
      of[kind].mine[to] = value_of(start, kind, me, to);
      of[kind].got[to] = -1;
    }
  }
  if (me == root) of[BCAST].got[0] = of[BCAST].mine[0];
}

static void look(int start, int root, const struct Numbers* of) {
  int sum = 0, largest = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const int here = value_of(start, LARGEST, rank, 0);
    sum += value_of(start, SUM, rank, 0);
    largest = here > largest ? here : largest;
    if (me == root) EXPECT_EQ(of[GATHERV].got[rank], value_of(start, GATHERV, rank, 0));
    EXPECT_EQ(of[ALLTOALL].got[rank], value_of(start, ALLTOALL, rank, me));
  }
  EXPECT_EQ(of[BCAST].got[0], value_of(start, BCAST, root, 0));
  EXPECT_EQ(of[SUM].got[0], sum);
  EXPECT_EQ(of[LARGEST].got[0], largest);
  EXPECT_EQ(of[NEIGHBOURS].got[0], value_of(start, NEIGHBOURS, (me + ranks - 1) % ranks, 0));
  EXPECT_EQ(of[NEIGHBOURS].got[1], value_of(start, NEIGHBOURS, (me + 1) % ranks, 0));
}

static void starts_in_any_order(void) {
  struct Numbers* const of = allocate(KINDS * sizeof *of);
  MPI_Request requests[KINDS];
  MPI_Comm ring;
  struct Dice dice = dice_of(seed, 0), own = dice_of(seed, (uint64_t)me + 1);
  const int root = below(&dice, ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    counts[rank] = 1;
    places[rank] = rank;
  }
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, (int[]){1}, 0, &ring);
  make(ring, root, of, requests);
  for (int start = 0; start < STARTS; ++start) {
    int order[KINDS];
    fill(start, root, of);
    shuffle(&own, order, KINDS);
    for (int i = 0; i < KINDS; ++i) MPI_Start(&requests[order[i]]);
    shuffle(&own, order, KINDS);
    for (int i = 0; i < KINDS; ++i) MPI_Wait(&requests[order[i]], MPI_STATUS_IGNORE);
    look(start, root, of);
  }
  for (int kind = 0; kind < KINDS; ++kind) MPI_Request_free(&requests[kind]);
  MPI_Comm_free(&ring);
  free(of);
}
#else
static void starts_in_any_order(void) {}
#endif

int main(int argc, char** argv) {
  begin(argc, argv, "any_order", 8);
  while (next_round()) starts_in_any_order();
  return finish();
}
