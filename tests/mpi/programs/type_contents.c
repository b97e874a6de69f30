// SPDX-License-Identifier: Apache-2.0
// What a datatype tells about how it was made; distributed arrays against a model; types by size, of Fortran, in pairs.
#include "check.h"

struct Contents {
  int ints[32], handles;
  MPI_Aint places[8];
  MPI_Datatype olds[8];
};

static struct Contents contents_of(MPI_Datatype type, int combiner, int ints, int places, int handles) {
  struct Contents found;
  int counts[3] = {-1, -1, -1}, how = -1;
  MPI_Type_get_envelope(type, &counts[0], &counts[1], &counts[2], &how);
  EXPECT_EQ(how, combiner);
  EXPECT_EQ(counts[0], ints);
  EXPECT_EQ(counts[1], places);
  EXPECT_EQ(counts[2], handles);
  MPI_Type_get_contents(type, ints, places, handles, found.ints, found.places, found.olds);
  found.handles = handles;
  return found;
}

static void expect_ints(const struct Contents* found, int count, const int* expected) {
  for (int at = 0; at < count; ++at) EXPECT_EQ(found->ints[at], expected[at]);
}

static void expect_predefined(MPI_Datatype type) {
  int ints, places, types, combiner = -1;
  MPI_Type_get_envelope(type, &ints, &places, &types, &combiner);
  EXPECT_EQ(combiner, MPI_COMBINER_NAMED);
  EXPECT(MPI_Type_get_contents(type, 0, 0, 0, NULL, NULL, NULL) != MPI_SUCCESS);
}

static void simple_ones(void) {
  MPI_Datatype type, other;
  expect_predefined(MPI_INT);
  expect_predefined(MPI_DOUBLE_INT);

  MPI_Type_contiguous(3, MPI_INT, &type);
  struct Contents found = contents_of(type, MPI_COMBINER_CONTIGUOUS, 1, 0, 1);
  expect_ints(&found, 1, (int[]){3});
  EXPECT(found.olds[0] == MPI_INT);
  MPI_Type_vector(4, 2, -3, type, &other);
  MPI_Type_free(&type);  // what is made of it stays
  found = contents_of(other, MPI_COMBINER_VECTOR, 3, 0, 1);
  expect_ints(&found, 3, (int[]){4, 2, -3});
  const struct Contents inner = contents_of(found.olds[0], MPI_COMBINER_CONTIGUOUS, 1, 0, 1);
  EXPECT(inner.olds[0] == MPI_INT);
  MPI_Type_free(&found.olds[0]);
  MPI_Type_free(&other);

  MPI_Type_create_hvector(4, 2, 100, MPI_DOUBLE, &type);
  found = contents_of(type, MPI_COMBINER_HVECTOR, 2, 1, 1);
  expect_ints(&found, 2, (int[]){4, 2});
  EXPECT_EQ(found.places[0], 100);
  MPI_Type_free(&type);
  MPI_Type_create_resized(MPI_INT, -4, 12, &type);
  found = contents_of(type, MPI_COMBINER_RESIZED, 0, 2, 1);
  EXPECT_EQ(found.places[0], -4);
  EXPECT_EQ(found.places[1], 12);
  MPI_Type_dup(type, &other);
  found = contents_of(other, MPI_COMBINER_DUP, 0, 0, 1);
  contents_of(found.olds[0], MPI_COMBINER_RESIZED, 0, 2, 1);
  MPI_Type_free(&found.olds[0]);
  MPI_Type_free(&type);
  MPI_Type_free(&other);
}

static void lists(void) {
  const int lengths[] = {2, 0, 1}, places[] = {5, 3, -1};
  const MPI_Aint bytes[] = {40, 8, -16};
  const MPI_Datatype olds[] = {MPI_INT, MPI_CHAR, MPI_DOUBLE};
  MPI_Datatype type;
  MPI_Type_indexed(3, lengths, places, MPI_INT, &type);
  struct Contents found = contents_of(type, MPI_COMBINER_INDEXED, 7, 0, 1);
  expect_ints(&found, 7, (int[]){3, 2, 0, 1, 5, 3, -1});
  MPI_Type_free(&type);
  MPI_Type_create_hindexed(3, lengths, bytes, MPI_INT, &type);
  found = contents_of(type, MPI_COMBINER_HINDEXED, 4, 3, 1);
  expect_ints(&found, 4, (int[]){3, 2, 0, 1});
  EXPECT_BYTES(found.places, bytes, sizeof bytes);
  MPI_Type_free(&type);
  MPI_Type_create_indexed_block(3, 2, places, MPI_INT, &type);
  found = contents_of(type, MPI_COMBINER_INDEXED_BLOCK, 5, 0, 1);
  expect_ints(&found, 5, (int[]){3, 2, 5, 3, -1});
  MPI_Type_free(&type);
  MPI_Type_create_hindexed_block(3, 2, bytes, MPI_INT, &type);
  found = contents_of(type, MPI_COMBINER_HINDEXED_BLOCK, 2, 3, 1);
  expect_ints(&found, 2, (int[]){3, 2});
  EXPECT_BYTES(found.places, bytes, sizeof bytes);
  MPI_Type_free(&type);
  MPI_Type_create_struct(3, lengths, bytes, olds, &type);
  found = contents_of(type, MPI_COMBINER_STRUCT, 4, 3, 3);
  expect_ints(&found, 4, (int[]){3, 2, 0, 1});
  EXPECT_BYTES(found.places, bytes, sizeof bytes);
  for (int at = 0; at < 3; ++at) EXPECT(found.olds[at] == olds[at]);
  MPI_Type_free(&type);
}

static void arrays(void) {
  MPI_Datatype type;
  const int sizes[] = {7, 5}, parts[] = {3, 2}, starts[] = {1, 3};
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_FORTRAN, MPI_INT, &type);
  struct Contents found = contents_of(type, MPI_COMBINER_SUBARRAY, 8, 0, 1);
  expect_ints(&found, 8, (int[]){2, 7, 5, 3, 2, 1, 3, MPI_ORDER_FORTRAN});
  MPI_Type_free(&type);
  const int distributions[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}, grid[] = {2, 3};
  const int arguments[] = {MPI_DISTRIBUTE_DFLT_DARG, 2};
  MPI_Type_create_darray(6, 4, 2, sizes, distributions, arguments, grid, MPI_ORDER_C, MPI_INT, &type);
  found = contents_of(type, MPI_COMBINER_DARRAY, 12, 0, 1);
  expect_ints(&found, 12,
              (int[]){6, 4, 2, 7, 5, distributions[0], distributions[1], arguments[0], 2, 2, 3, MPI_ORDER_C});
  MPI_Type_free(&type);
}

// Which process of a dimension has an index, by the standard's definition.
static int owner(int index, int size, int distribution, int argument, int processes) {
  if (distribution == MPI_DISTRIBUTE_NONE) return 0;
  if (distribution == MPI_DISTRIBUTE_BLOCK) {
    return index / (argument == MPI_DISTRIBUTE_DFLT_DARG ? (size + processes - 1) / processes : argument);
  }
  return index / (argument == MPI_DISTRIBUTE_DFLT_DARG ? 1 : argument) % processes;
}

// Each rank of a grid packs its part of an array whose elements are their places: these places, in order.
static void distributed_array(void) {
  struct Dice dice = dice_of(3, 4);
  enum { DIMENSIONS = 3 };
  int sizes[DIMENSIONS], distributions[DIMENSIONS], arguments[DIMENSIONS], grid[DIMENSIONS], total = 1, processes = 1;
  for (int at = 0; at < DIMENSIONS; ++at) {
    const int kind = below(&dice, 3);
    sizes[at] = between(&dice, 1, 8);
    grid[at] = kind == 0 ? 1 : between(&dice, 1, 3);
    distributions[at] = kind == 0 ? MPI_DISTRIBUTE_NONE : kind == 1 ? MPI_DISTRIBUTE_BLOCK : MPI_DISTRIBUTE_CYCLIC;
    const int least = kind == 1 ? (sizes[at] + grid[at] - 1) / grid[at] : 1;
    arguments[at] = kind == 0 || below(&dice, 2) ? MPI_DISTRIBUTE_DFLT_DARG : least + below(&dice, 2);
    total *= sizes[at];
    processes *= grid[at];
  }
  const bool fortran = below(&dice, 2);
  int* array = allocate(sizeof(int) * (size_t)total);
  int* found = allocate(sizeof(int) * (size_t)total);
  for (int at = 0; at < total; ++at) array[at] = at;
  for (int rank = 0; rank < processes; ++rank) {
    MPI_Datatype type;
    MPI_Type_create_darray(processes, rank, DIMENSIONS, sizes, distributions, arguments, grid,
                           fortran ? MPI_ORDER_FORTRAN : MPI_ORDER_C, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Aint lower, extent;
    int bytes = 0, next = 0, count = -1;
    MPI_Type_get_extent(type, &lower, &extent);
    EXPECT_EQ(lower, 0);
    EXPECT_EQ(extent, total * (int)sizeof(int));
    MPI_Type_size(type, &bytes);
    MPI_Status status;
    MPI_Sendrecv(array, 1, type, 0, 0, found, total, MPI_INT, 0, 0, MPI_COMM_SELF, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    EXPECT_EQ(count * (int)sizeof(int), bytes);
    const int place[DIMENSIONS] = {rank / (grid[1] * grid[2]), rank / grid[2] % grid[1], rank % grid[2]};
    for (int at = 0; at < total; ++at) {
      const int index[DIMENSIONS] = {fortran ? at % sizes[0] : at / (sizes[1] * sizes[2]),
                                     fortran ? at / sizes[0] % sizes[1] : at / sizes[2] % sizes[1],
                                     fortran ? at / (sizes[0] * sizes[1]) : at % sizes[2]};
      bool mine = true;
      for (int d = 0; d < DIMENSIONS; ++d) {
        mine = mine && owner(index[d], sizes[d], distributions[d], arguments[d], grid[d]) == place[d];
      }
      if (mine) EXPECT_EQ(found[next++], at);
    }
    EXPECT_EQ(next, count);
    MPI_Type_free(&type);
  }
  free(found);
  free(array);
}

static void bounds(void) {
  struct Padded {
    double wide;
    char narrow;
  };
  MPI_Datatype type;
  MPI_Aint lower, extent, here, there;
  const MPI_Datatype olds[] = {MPI_DOUBLE, MPI_CHAR};
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, olds, &type);
  MPI_Type_get_extent(type, &lower, &extent);
  EXPECT_EQ(lower, 0);
  EXPECT_EQ(extent, sizeof(struct Padded));
  MPI_Type_get_true_extent(type, &lower, &extent);
  EXPECT_EQ(extent, 9);
  MPI_Type_free(&type);

  int pair[2], bytes = -1;
  MPI_Get_address(&pair[0], &here);
  MPI_Get_address(&pair[1], &there);
  EXPECT_EQ(there - here, sizeof(int));
#if MPI_VERSION > 3 || (MPI_VERSION == 3 && MPI_SUBVERSION >= 1)
  EXPECT_EQ(MPI_Aint_diff(there, here), sizeof(int));
  EXPECT_EQ(MPI_Aint_add(here, sizeof(int)), there);
#endif
  struct {
    double a;
    int b;
  } double_int;
  MPI_Type_size(MPI_DOUBLE_INT, &bytes);
  EXPECT_EQ(bytes, 12);
  MPI_Type_get_extent(MPI_DOUBLE_INT, &lower, &extent);
  EXPECT_EQ(extent, sizeof double_int);
  MPI_Type_contiguous(0, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Type_size(type, &bytes);
  EXPECT_EQ(bytes, 0);
  MPI_Sendrecv(NULL, 5, type, 0, 0, NULL, 5, type, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Type_free(&type);
  EXPECT(type == MPI_DATATYPE_NULL);
}

// Memory named by addresses from MPI_BOTTOM.
static void absolute_addresses(void) {
  int first = 3 + me;
  double second = 4.5 + me;
  MPI_Aint places[2];
  MPI_Datatype type;
  MPI_Get_address(&first, &places[0]);
  MPI_Get_address(&second, &places[1]);
  MPI_Type_create_struct(2, (int[]){1, 1}, places, (MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &type);
  MPI_Type_commit(&type);
  MPI_Bcast(MPI_BOTTOM, 1, type, 0, MPI_COMM_WORLD);
  EXPECT_EQ(first, 3);
  EXPECT(second == 4.5);
  MPI_Type_free(&type);
}

static void by_size(void) {
  MPI_Datatype type;
  int bytes = -1, combiner = -1, ints[3];
  for (int size = 1; size <= 8; size *= 2) {
    MPI_Type_match_size(MPI_TYPECLASS_INTEGER, size, &type);
    MPI_Type_size(type, &bytes);
    EXPECT_EQ(bytes, size);
  }
  MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 16, &type);
  MPI_Type_size(type, &bytes);
  EXPECT_EQ(bytes, 16);
  MPI_Type_create_f90_real(15, MPI_UNDEFINED, &type);
  MPI_Type_size(type, &bytes);
  EXPECT_EQ(bytes, 8);
  MPI_Type_get_envelope(type, &ints[0], &ints[1], &ints[2], &combiner);
  EXPECT_EQ(combiner, MPI_COMBINER_F90_REAL);
  EXPECT_EQ(ints[0], 2);
  MPI_Type_get_contents(type, 2, 0, 0, ints, NULL, NULL);
  EXPECT_EQ(ints[0], 15);
  EXPECT_EQ(ints[1], MPI_UNDEFINED);
  MPI_Type_create_f90_integer(9, &type);
  MPI_Type_size(type, &bytes);
  EXPECT_EQ(bytes, 4);
}

int main(int argc, char** argv) {
  begin(argc, argv, "type_contents", 60);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  simple_ones();
  lists();
  arrays();
  bounds();
  absolute_addresses();
  while (next_round()) distributed_array();
  by_size();
  return finish();
}
