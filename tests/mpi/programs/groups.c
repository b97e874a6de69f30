// SPDX-License-Identifier: Apache-2.0
// The algebra of groups against sets in order, given as lists of ranks of MPI_COMM_WORLD.
#include "check.h"

struct Set {
  int count, *ranks;
};

static struct Set empty_set(void) { return (struct Set){0, allocate(sizeof(int) * (size_t)ranks)}; }

static bool has(const struct Set* set, int rank) {
  for (int at = 0; at < set->count; ++at) {
    if (set->ranks[at] == rank) return true;
  }
  return false;
}

static struct Set random_set(struct Dice* dice) {
  struct Set set = empty_set();
  shuffle(dice, set.ranks, ranks);
  set.count = below(dice, ranks + 1);
  return set;
}

static MPI_Group world;

static MPI_Group group_of(const struct Set* set) {
  MPI_Group group;
  MPI_Group_incl(world, set->count, set->ranks, &group);
  return group;
}

// Frees both.
static void expect_group(MPI_Group group, struct Set expected) {
  int size = -1, rank = -2, mine = MPI_UNDEFINED;
  MPI_Group_size(group, &size);
  EXPECT_EQ(size, expected.count);
  int* all = allocate(sizeof(int) * (size_t)ranks);
  int* found = allocate(sizeof(int) * (size_t)ranks);
  for (int at = 0; at < size; ++at) all[at] = at;
  MPI_Group_translate_ranks(group, size, all, world, found);
  for (int at = 0; at < size; ++at) {
    EXPECT_EQ(found[at], expected.ranks[at]);
    if (found[at] == me) mine = at;
  }
  MPI_Group_rank(group, &rank);
  EXPECT_EQ(rank, mine);
  if (size == 0) EXPECT(group == MPI_GROUP_EMPTY);
  if (group != MPI_GROUP_EMPTY) {
    MPI_Group_free(&group);
    EXPECT(group == MPI_GROUP_NULL);
  }
  free(found);
  free(all);
  free(expected.ranks);
}

static void algebra(const struct Set* a, const struct Set* b) {
  const MPI_Group first = group_of(a), second = group_of(b);
  struct Set both = empty_set(), either = empty_set(), only = empty_set();
  for (int at = 0; at < a->count; ++at) {
    either.ranks[either.count++] = a->ranks[at];
    struct Set* where = has(b, a->ranks[at]) ? &both : &only;
    where->ranks[where->count++] = a->ranks[at];
  }
  for (int at = 0; at < b->count; ++at) {
    if (!has(a, b->ranks[at])) either.ranks[either.count++] = b->ranks[at];
  }
  MPI_Group result;
  int relation = -1;
  bool same = a->count == b->count;
  const bool similar = same && both.count == a->count;
  for (int at = 0; at < a->count && same; ++at) same = a->ranks[at] == b->ranks[at];
  MPI_Group_compare(first, second, &relation);
  EXPECT_EQ(relation, same ? MPI_IDENT : similar ? MPI_SIMILAR : MPI_UNEQUAL);
  MPI_Group_union(first, second, &result);
  expect_group(result, either);
  MPI_Group_intersection(first, second, &result);
  expect_group(result, both);
  MPI_Group_difference(first, second, &result);
  expect_group(result, only);

  // Each rank of the first within the second.
  int* places = allocate(sizeof(int) * (size_t)(ranks + 1));
  int* found = allocate(sizeof(int) * (size_t)(ranks + 1));
  for (int at = 0; at < a->count; ++at) places[at] = at;
  places[a->count] = MPI_PROC_NULL;
  MPI_Group_translate_ranks(first, a->count + 1, places, second, found);
  for (int at = 0; at < a->count; ++at) {
    int expected = MPI_UNDEFINED;
    for (int other = 0; other < b->count; ++other) {
      if (b->ranks[other] == a->ranks[at]) expected = other;
    }
    EXPECT_EQ(found[at], expected);
  }
  if (a->count > 0 && b->count > 0) EXPECT_EQ(found[a->count], MPI_PROC_NULL);
  free(found);
  free(places);
  expect_group(first, (struct Set){a->count, memcpy(allocate(sizeof(int) * (size_t)ranks), a->ranks,
                                                    sizeof(int) * (size_t)ranks)});
  MPI_Group rest = second;
  if (rest != MPI_GROUP_EMPTY) MPI_Group_free(&rest);
}

static void parts(const struct Set* set, struct Dice* dice) {
  const MPI_Group group = group_of(set);
  int* chosen = allocate(sizeof(int) * (size_t)ranks);
  shuffle(dice, chosen, set->count);
  const int count = set->count ? below(dice, set->count + 1) : 0;
  struct Set in = empty_set(), out = empty_set();
  bool* taken = allocate(sizeof(bool) * (size_t)ranks);
  for (int at = 0; at < count; ++at) {
    in.ranks[in.count++] = set->ranks[chosen[at]];
    taken[chosen[at]] = true;
  }
  for (int at = 0; at < set->count; ++at) {
    if (!taken[at]) out.ranks[out.count++] = set->ranks[at];
  }
  MPI_Group result;
  MPI_Group_incl(group, count, chosen, &result);
  expect_group(result, in);
  MPI_Group_excl(group, count, chosen, &result);
  expect_group(result, out);
  free(taken);
  free(chosen);
  MPI_Group rest = group;
  if (rest != MPI_GROUP_EMPTY) MPI_Group_free(&rest);
}

// Every second rank from the last, then every third of those that are left out by the first range.
static void ranges(struct Dice* dice) {
  const int first = below(dice, ranks), last = below(dice, ranks),
            step = between(dice, 1, 3) * (first <= last ? 1 : -1);
  int triple[1][3] = {{first, last, step}};
  struct Set in = empty_set(), out = empty_set();
  for (int rank = first; step > 0 ? rank <= last : rank >= last; rank += step) in.ranks[in.count++] = rank;
  for (int rank = 0; rank < ranks; ++rank) {
    if (!has(&in, rank)) out.ranks[out.count++] = rank;
  }
  MPI_Group result;
  MPI_Group_range_incl(world, 1, triple, &result);
  expect_group(result, in);
  MPI_Group_range_excl(world, 1, triple, &result);
  expect_group(result, out);
}

static void errors(void) {
  MPI_Group result;
  const int beyond[] = {ranks};
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  EXPECT_CLASS(MPI_Group_excl(world, 1, beyond, &result), MPI_ERR_RANK);
  EXPECT_CLASS(MPI_Group_size(MPI_GROUP_NULL, &(int){0}), MPI_ERR_GROUP);
}

int main(int argc, char** argv) {
  begin(argc, argv, "groups", 60);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  while (next_round()) {
    struct Dice dice = dice_of(14, 15);
    struct Set a = random_set(&dice), b = random_set(&dice);
    algebra(&a, &b);
    algebra(&a, &a);
    parts(&a, &dice);
    ranges(&dice);
    free(a.ranks);
    free(b.ranks);
  }
  errors();
  MPI_Group_free(&world);
  return finish();
}
