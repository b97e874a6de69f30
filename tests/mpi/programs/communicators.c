// SPDX-License-Identifier: Apache-2.0
// Communicators that are made of others: who is in them, in which order, and that their messages are apart.
#include "check.h"

// The members are these ranks of MPI_COMM_WORLD, in this order, and can talk to each other.
static void expect_members(MPI_Comm comm, int count, const int* members) {
  int size = -1, rank = -1, mine = -1, sum = -1, expected = 0;
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &rank);
  EXPECT_EQ(size, count);
  for (int at = 0; at < count; ++at) {
    if (members[at] == me) mine = at;
    expected += members[at];
  }
  EXPECT_EQ(rank, mine);
  MPI_Group world, group;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Comm_group(comm, &group);
  for (int at = 0; at < count; ++at) {
    int found = -1;
    MPI_Group_translate_ranks(group, 1, &at, world, &found);
    EXPECT_EQ(found, members[at]);
  }
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
  EXPECT_EQ(sum, expected);
  int data = -1;
  MPI_Sendrecv(&me, 1, MPI_INT, (rank + 1) % size, 0, &data, 1, MPI_INT, (rank - 1 + size) % size, 0, comm,
               MPI_STATUS_IGNORE);
  EXPECT_EQ(data, members[(rank - 1 + size) % size]);
}

// Members by color, then in order of key, then of rank.
static void split(void) {
  struct Dice dice = dice_of(16, 17);
  int* colors = allocate(sizeof(int) * (size_t)ranks);
  int* keys = allocate(sizeof(int) * (size_t)ranks);
  int* members = allocate(sizeof(int) * (size_t)ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    colors[rank] = below(&dice, 4) ? below(&dice, 3) : MPI_UNDEFINED;
    keys[rank] = between(&dice, -2, 2);
  }
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, colors[me], keys[me], &comm);
  if (colors[me] == MPI_UNDEFINED) {
    EXPECT(comm == MPI_COMM_NULL);
  } else {
    int count = 0;
    for (int key = -2; key <= 2; ++key) {
      for (int rank = 0; rank < ranks; ++rank) {
        if (colors[rank] == colors[me] && keys[rank] == key) members[count++] = rank;
      }
    }
    expect_members(comm, count, members);
    MPI_Comm_free(&comm);
    EXPECT(comm == MPI_COMM_NULL);
  }
  free(members);
  free(keys);
  free(colors);
}

// By groups that are disjoint. MPI_Comm_create_group is called by the members alone.
static void create(void) {
  struct Dice dice = dice_of(18, 19);
  int* order = allocate(sizeof(int) * (size_t)ranks);
  shuffle(&dice, order, ranks);
  const int cut = below(&dice, ranks + 1), unused = below(&dice, 2);
  int place = 0;
  while (order[place] != me) ++place;
  const int first = place < cut ? 0 : cut, last = place < cut ? cut : ranks;
  const bool within = !(unused && place >= cut);
  MPI_Group world, group;
  MPI_Comm comm;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, last - first, order + first, &group);
  MPI_Comm_create(MPI_COMM_WORLD, within ? group : MPI_GROUP_EMPTY, &comm);
  if (within) {
    expect_members(comm, last - first, order + first);
    MPI_Comm_free(&comm);
    MPI_Comm_create_group(MPI_COMM_WORLD, group, 5, &comm);
    expect_members(comm, last - first, order + first);
    MPI_Comm_free(&comm);
  } else {
    EXPECT(comm == MPI_COMM_NULL);
  }
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  free(order);
}

static int compared(MPI_Comm one, MPI_Comm other) {
  int result = -1;
  MPI_Comm_compare(one, other, &result);
  return result;
}

static void duplicates(void) {
  MPI_Comm copy, late, with_info, reversed;
  MPI_Request request;
  int sum = -1;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_idup(MPI_COMM_WORLD, &late, &request);
  MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, copy);  // meanwhile
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_dup_with_info(late, MPI_INFO_NULL, &with_info);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &reversed);
  EXPECT_EQ(compared(MPI_COMM_WORLD, MPI_COMM_WORLD), MPI_IDENT);
  EXPECT_EQ(compared(MPI_COMM_WORLD, copy), MPI_CONGRUENT);
  EXPECT_EQ(compared(copy, late), MPI_CONGRUENT);
  EXPECT_EQ(compared(late, with_info), MPI_CONGRUENT);
  EXPECT_EQ(compared(copy, reversed), ranks == 1 ? MPI_CONGRUENT : MPI_SIMILAR);

  // A message is for its communicator only, whatever its tag.
  int data[2] = {1, 2}, found[2] = {-1, -1};
  MPI_Request sends[2];
  MPI_Isend(&data[0], 1, MPI_INT, (me + 1) % ranks, 0, copy, &sends[0]);
  MPI_Isend(&data[1], 1, MPI_INT, (me + 1) % ranks, 0, late, &sends[1]);
  MPI_Recv(&found[1], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, late, MPI_STATUS_IGNORE);
  MPI_Recv(&found[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, copy, MPI_STATUS_IGNORE);
  EXPECT_BYTES(found, data, sizeof data);
  MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);

  // Freed while messages are on their way.
  const int rank = ranks - 1 - me;
  MPI_Irecv(&found[0], 1, MPI_INT, (rank - 1 + ranks) % ranks, 3, reversed, &request);
  MPI_Isend(&me, 1, MPI_INT, (rank + 1) % ranks, 3, reversed, &sends[0]);
  MPI_Comm_free(&reversed);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Wait(&sends[0], MPI_STATUS_IGNORE);
  EXPECT_EQ(found[0], (me + 1) % ranks);
  MPI_Comm_disconnect(&with_info);
  EXPECT(with_info == MPI_COMM_NULL);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&late);
}

static void shared_memory(void) {
  MPI_Comm host, nobody;
  int size = -1, rank = -1;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -me, MPI_INFO_NULL, &host);
  MPI_Comm_size(host, &size);
  MPI_Comm_rank(host, &rank);
  EXPECT(size >= 1 && size <= ranks && rank < size);
  if (size == ranks) EXPECT_EQ(rank, ranks - 1 - me);
  MPI_Comm_free(&host);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, 0, MPI_INFO_NULL, &nobody);
  EXPECT(nobody == MPI_COMM_NULL);
}

static void names_and_hints(void) {
  MPI_Comm comm, copy;
  char name[MPI_MAX_OBJECT_NAME];
  int length = -1, keys = -1;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_get_name(comm, name, &length);
  EXPECT_EQ(length, 0);
  MPI_Comm_set_name(comm, "  a name ");
  MPI_Comm_get_name(comm, name, &length);
  EXPECT(strcmp(name, "  a name ") == 0);
  EXPECT_EQ(length, 9);
  MPI_Comm_get_name(MPI_COMM_NULL, name, &length);  // since MPI 4.1
  EXPECT(strcmp(name, "MPI_COMM_NULL") == 0 && length == 13);
  MPI_Comm_dup(comm, &copy);  // which has no name
  MPI_Comm_get_name(copy, name, &length);
  EXPECT_EQ(length, 0);
  MPI_Info info, used;
  MPI_Info_create(&info);
  MPI_Info_set(info, "no_such_hint", "true");
  MPI_Comm_set_info(comm, info);
  MPI_Comm_get_info(comm, &used);
  MPI_Info_get_nkeys(used, &keys);
  EXPECT(keys >= 0);
  MPI_Info_free(&used);
  MPI_Info_free(&info);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&comm);
}

static void many(void) {
  for (int turn = 0; turn < 100; ++turn) {
    MPI_Comm comm;
    int sum = -1;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (turn % 50 == 0) MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Comm_free(&comm);
  }
}

int main(int argc, char** argv) {
  begin(argc, argv, "communicators", 10);
  while (next_round()) {
    split();
    create();
  }
  duplicates();
  shared_memory();
  names_and_hints();
  many();
  return finish();
}
