// SPDX-License-Identifier: Apache-2.0
// Two groups: messages and collectives between them, and what they become when they are merged.
#include "forms.h"

static MPI_Comm local, inter;
static int side, mine, others, my_rank;  // sizes of both groups

static void make(int cut) {
  MPI_Comm_split(MPI_COMM_WORLD, me >= cut, 0, &local);
  side = me >= cut;
  MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, side ? 0 : cut, 12, &inter);
  mine = side ? ranks - cut : cut;
  others = ranks - mine;
  MPI_Comm_rank(local, &my_rank);
}

static int first_of(int which) { return which ? ranks - (side ? mine : others) : 0; }  // in MPI_COMM_WORLD

static void shape(void) {
  int flag = -1, size = -1, remote = -1, rank = -1, found = -1, zero = 0, result = -1;
  MPI_Comm_test_inter(inter, &flag);
  EXPECT_EQ(flag != 0, 1);
  MPI_Comm_size(inter, &size);
  MPI_Comm_remote_size(inter, &remote);
  MPI_Comm_rank(inter, &rank);
  EXPECT_EQ(size, mine);
  EXPECT_EQ(remote, others);
  EXPECT_EQ(rank, my_rank);
  MPI_Group world, group;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Comm_remote_group(inter, &group);
  MPI_Group_translate_ranks(group, 1, &zero, world, &found);
  EXPECT_EQ(found, first_of(!side));
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  MPI_Comm copy;
  MPI_Comm_dup(inter, &copy);
  MPI_Comm_compare(inter, copy, &result);
  EXPECT_EQ(result, MPI_CONGRUENT);
  MPI_Comm_free(&copy);
}

// Ranks are those of the other group.
static void messages(void) {
  MPI_Request* requests = allocate(sizeof(MPI_Request) * (size_t)others);
  for (int to = 0; to < others; ++to) MPI_Isend(&me, 1, MPI_INT, to, 4, inter, &requests[to]);
  for (int at = 0; at < others; ++at) {
    int data = -1;
    MPI_Status status;
    MPI_Recv(&data, 1, MPI_INT, at, MPI_ANY_TAG, inter, &status);
    EXPECT_EQ(status.MPI_SOURCE, at);
    EXPECT_EQ(data, first_of(!side) + at);
  }
  MPI_Waitall(others, requests, MPI_STATUSES_IGNORE);
  free(requests);
}

static void to_all(enum Form form) {
  MPI_Request request;
  int* found = allocate(sizeof(int) * (size_t)others);
  int* out = allocate(sizeof(int) * (size_t)others);
  int* counts = allocate(sizeof(int) * (size_t)others);
  int* places = allocate(sizeof(int) * (size_t)others);
  CALL(form, &request, Allgather, allgather, &me, 1, MPI_INT, found, 1, MPI_INT, inter);
  finish_call(&request);
  for (int at = 0; at < others; ++at) EXPECT_EQ(found[at], first_of(!side) + at);
  for (int at = 0; at < others; ++at) out[at] = me * 100 + at, counts[at] = 1, places[at] = others - 1 - at;
  CALL(form, &request, Alltoall, alltoall, out, 1, MPI_INT, found, 1, MPI_INT, inter);
  finish_call(&request);
  for (int at = 0; at < others; ++at) EXPECT_EQ(found[at], (first_of(!side) + at) * 100 + my_rank);
  CALL(form, &request, Allgatherv, allgatherv, &me, 1, MPI_INT, found, counts, places, MPI_INT, inter);
  finish_call(&request);
  for (int at = 0; at < others; ++at) EXPECT_EQ(found[places[at]], first_of(!side) + at);
  int sum = -1, expected = 0;
  for (int at = 0; at < others; ++at) expected += first_of(!side) + at;
  CALL(form, &request, Allreduce, allreduce, &me, &sum, 1, MPI_INT, MPI_SUM, inter);  // of the others
  finish_call(&request);
  EXPECT_EQ(sum, expected);
  CALL(form, &request, Barrier, barrier, inter);
  finish_call(&request);
  free(places);
  free(counts);
  free(out);
  free(found);
}

// The root is in the first group: there it is MPI_ROOT, the rest of its group MPI_PROC_NULL.
static void from_and_to_root(enum Form form, int root) {
  MPI_Request request;
  const int role = side ? root : my_rank == root ? MPI_ROOT : MPI_PROC_NULL;
  int data = side ? -1 : 77 + root, sum = -1, part = -1, expected = 0;
  int* all = allocate(sizeof(int) * (size_t)ranks);
  CALL(form, &request, Bcast, bcast, &data, 1, MPI_INT, role, inter);
  finish_call(&request);
  EXPECT_EQ(data, 77 + root);
  CALL(form, &request, Reduce, reduce, &me, &sum, 1, MPI_INT, MPI_SUM, role, inter);
  finish_call(&request);
  for (int at = 0; at < others; ++at) expected += first_of(1) + at;
  if (role == MPI_ROOT) EXPECT_EQ(sum, expected);
  CALL(form, &request, Gather, gather, &me, 1, MPI_INT, all, 1, MPI_INT, role, inter);
  finish_call(&request);
  for (int at = 0; at < others && role == MPI_ROOT; ++at) EXPECT_EQ(all[at], first_of(1) + at);
  for (int at = 0; at < ranks; ++at) all[at] = root * 10 + at;
  CALL(form, &request, Scatter, scatter, all, 1, MPI_INT, &part, 1, MPI_INT, role, inter);
  finish_call(&request);
  if (side) EXPECT_EQ(part, root * 10 + my_rank);
  free(all);
}

static void merge(void) {
  for (int high = 0; high < 2; ++high) {
    MPI_Comm merged;
    int size = -1, rank = -1, flag = -1;
    MPI_Intercomm_merge(inter, side ? !high : high, &merged);  // the first group comes last where `high`
    MPI_Comm_size(merged, &size);
    MPI_Comm_rank(merged, &rank);
    MPI_Comm_test_inter(merged, &flag);
    EXPECT_EQ(flag, 0);
    EXPECT_EQ(size, ranks);
    EXPECT_EQ(rank, my_rank + (side != high ? others : 0));
    MPI_Comm_free(&merged);
  }
}

// The parts of both groups with one color have an intercommunicator of their own.
static void split(void) {
  MPI_Comm part;
  const int color = my_rank % 2;
  MPI_Comm_split(inter, color, 0, &part);
  const int theirs = (others + 1 - color) / 2;
  if (theirs == 0) {
    EXPECT(part == MPI_COMM_NULL);
    return;
  }
  int remote = -1, size = -1;
  MPI_Comm_remote_size(part, &remote);
  MPI_Comm_size(part, &size);
  EXPECT_EQ(remote, theirs);
  EXPECT_EQ(size, (mine + 1 - color) / 2);
  MPI_Comm_free(&part);
}

int main(int argc, char** argv) {
  begin(argc, argv, "intercommunicators", 1);
  for (int cut = 1; cut < ranks; ++cut) {
    make(cut);
    shape();
    messages();
    for (int form = 0; form < FORMS; ++form) {
      to_all((enum Form)form);
      for (int root = 0; root < cut; ++root) from_and_to_root((enum Form)form, root);
    }
    merge();
    split();
    MPI_Comm_free(&inter);
    MPI_Comm_free(&local);
  }
  return finish();
}
