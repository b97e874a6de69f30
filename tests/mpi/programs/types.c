// SPDX-License-Identifier: Apache-2.0
#include "types.h"

struct Basic basics[BASICS];

void prepare_types(void) {
  basics[0] = (struct Basic){MPI_CHAR, 1, 1};
  basics[1] = (struct Basic){MPI_INT16_T, 2, 2};
  basics[2] = (struct Basic){MPI_INT, 4, 4};
  basics[3] = (struct Basic){MPI_FLOAT, 4, 4};
  basics[4] = (struct Basic){MPI_INT64_T, 8, 8};
  basics[5] = (struct Basic){MPI_DOUBLE, 8, 8};
  basics[6] = (struct Basic){MPI_UNSIGNED_SHORT, 2, 2};
  basics[7] = (struct Basic){MPI_C_DOUBLE_COMPLEX, 16, 8};
  basics[8] = (struct Basic){MPI_BYTE, 1, 1};
}

MPI_Aint extent_of(const struct Type* type) { return type->upper - type->lower; }

size_t size_of(const struct Type* type) {
  size_t bytes = 0;
  for (int at = 0; at < type->entries; ++at) bytes += (size_t)basics[type->entry[at].basic].bytes;
  return bytes;
}

void free_type(struct Type* type) {
  MPI_Type_free(&type->handle);
  free(type->entry);
}

// A type that grows block by block. The first bounds are those of the first block that has entries or explicit bounds.
struct Maker {
  struct Type type;
  bool bounded;
};

static struct Maker maker(void) {
  return (struct Maker){{.handle = MPI_DATATYPE_NULL, .entry = allocate(sizeof(struct Entry) * MOST_ENTRIES)}, false};
}

static void put(struct Maker* maker, const struct Type* old, MPI_Aint at) {
  struct Type* type = &maker->type;
  for (int entry = 0; entry < old->entries; ++entry) {
    if (type->entries == MOST_ENTRIES) FAIL("a type with more than %d entries", MOST_ENTRIES);
    type->entry[type->entries++] = (struct Entry){at + old->entry[entry].at, old->entry[entry].basic};
  }
  // Explicit bounds are worth more than those that follow from entries.
  if (!maker->bounded || (old->marked && !type->marked)) {
    type->lower = at + old->lower;
    type->upper = at + old->upper;
  } else if (old->marked == type->marked) {
    if (at + old->lower < type->lower) type->lower = at + old->lower;
    if (at + old->upper > type->upper) type->upper = at + old->upper;
  }
  maker->bounded = true;
  if (old->marked) type->marked = true;
}

static void put_block(struct Maker* maker, const struct Type* old, int length, MPI_Aint at) {
  for (int turn = 0; turn < length; ++turn) put(maker, old, at + turn * extent_of(old));
}

static struct Type basic_type(int which) {
  struct Maker one = maker();
  one.type.entries = 1;
  one.type.entry[0] = (struct Entry){0, which};
  one.type.upper = basics[which].bytes;
  MPI_Type_dup(basics[which].type, &one.type.handle);
  return one.type;
}

static MPI_Aint aligned(MPI_Aint bytes) { return (bytes + 7) / 8 * 8; }

static struct Type vector(struct Dice* dice, const struct Type* old) {
  struct Maker made = maker();
  const int count = between(dice, 1, 4), length = between(dice, 1, 3), stride = between(dice, -2, 5);
  if (below(dice, 2)) {
    MPI_Type_vector(count, length, stride, old->handle, &made.type.handle);
    for (int at = 0; at < count; ++at) put_block(&made, old, length, at * stride * extent_of(old));
  } else {
    const MPI_Aint bytes = aligned(stride * extent_of(old));
    MPI_Type_create_hvector(count, length, bytes, old->handle, &made.type.handle);
    for (int at = 0; at < count; ++at) put_block(&made, old, length, at * bytes);
  }
  return made.type;
}

static struct Type indexed(struct Dice* dice, const struct Type* old) {
  enum { MOST = 4 };
  struct Maker made = maker();
  const int count = between(dice, 1, MOST), same = between(dice, 1, 3), form = below(dice, 4);
  int lengths[MOST], places[MOST], order[MOST];
  MPI_Aint bytes[MOST];
  shuffle(dice, order, count);
  for (int at = 0; at < count; ++at) {
    lengths[at] = form < 2 ? between(dice, at == 0, 3) : same;
    places[at] = order[at] * between(dice, 3, 4) - 2;
    bytes[at] = aligned(places[at] * extent_of(old));
    const MPI_Aint where = form % 2 ? bytes[at] : places[at] * extent_of(old);
    put_block(&made, old, lengths[at], where);
  }
  if (form == 0) MPI_Type_indexed(count, lengths, places, old->handle, &made.type.handle);
  if (form == 1) MPI_Type_create_hindexed(count, lengths, bytes, old->handle, &made.type.handle);
  if (form == 2) MPI_Type_create_indexed_block(count, same, places, old->handle, &made.type.handle);
  if (form == 3) MPI_Type_create_hindexed_block(count, same, bytes, old->handle, &made.type.handle);
  return made.type;
}

// The same, with its bounds explicit: the standard's rule for those that are and those that are not is not everybody's.
static void mark(struct Type* type) {
  MPI_Datatype old = type->handle;
  if (type->marked) return;
  MPI_Type_create_resized(old, type->lower, extent_of(type), &type->handle);
  MPI_Type_free(&old);
  type->marked = true;
}

static struct Type structure(struct Dice* dice, int depth) {
  enum { MOST = 3 };
  struct Maker made = maker();
  struct Type olds[MOST];
  MPI_Datatype handles[MOST];
  int lengths[MOST];
  MPI_Aint places[MOST], next = 8 * below(dice, 3);
  const int count = between(dice, 1, MOST);
  bool marked = false;
  for (int at = 0; at < count; ++at) {
    olds[at] = random_type(dice, depth);
    marked = marked || olds[at].marked;
  }
  for (int at = 0; at < count; ++at) {
    if (marked) mark(&olds[at]);
    handles[at] = olds[at].handle;
    lengths[at] = between(dice, at == 0, 2);  // no type here is empty: its bounds would be anybody's guess
    places[at] = aligned(next - olds[at].lower);
    next = places[at] + olds[at].lower + lengths[at] * extent_of(&olds[at]) + below(dice, 9);
    put_block(&made, &olds[at], lengths[at], places[at]);
  }
  MPI_Datatype bare;
  MPI_Type_create_struct(count, lengths, places, handles, &bare);
  for (int at = 0; at < count; ++at) free_type(&olds[at]);
  // With bounds of ours: padding is everybody's own.
  made.type.upper = made.type.lower + aligned(extent_of(&made.type));
  made.type.marked = true;
  MPI_Type_create_resized(bare, made.type.lower, extent_of(&made.type), &made.type.handle);
  MPI_Type_free(&bare);
  MPI_Type_commit(&made.type.handle);
  return made.type;
}

static struct Type resized(struct Dice* dice, const struct Type* old) {
  struct Maker made = maker();
  put(&made, old, 0);
  made.type.lower = 8 * between(dice, -2, 1);
  made.type.upper = made.type.lower + aligned(extent_of(old)) + 8 * below(dice, 3);
  made.type.marked = true;
  MPI_Type_create_resized(old->handle, made.type.lower, extent_of(&made.type), &made.type.handle);
  return made.type;
}

// The bounds of a part of an array are those of the array.
static struct Type subarray(struct Dice* dice, const struct Type* old) {
  struct Maker made = maker();
  int sizes[2], parts[2], starts[2];
  for (int at = 0; at < 2; ++at) {
    sizes[at] = between(dice, 1, 4);
    parts[at] = between(dice, 1, sizes[at]);
    starts[at] = below(dice, sizes[at] - parts[at] + 1);
  }
  const bool fortran = below(dice, 2);
  const int slow = fortran ? 1 : 0, fast = 1 - slow;
  for (int row = 0; row < parts[slow]; ++row) {
    const MPI_Aint first = (starts[slow] + row) * sizes[fast] + starts[fast];
    put_block(&made, old, parts[fast], first * extent_of(old));
  }
  made.type.lower = 0;
  made.type.upper = sizes[0] * sizes[1] * extent_of(old);
  made.type.marked = true;
  MPI_Type_create_subarray(2, sizes, parts, starts, fortran ? MPI_ORDER_FORTRAN : MPI_ORDER_C, old->handle,
                           &made.type.handle);
  return made.type;
}

struct Type random_type(struct Dice* dice, int depth) {
  if (depth == 0 || below(dice, 8) == 0) return basic_type(below(dice, BASICS));
  if (below(dice, 3) == 0) return structure(dice, depth - 1);
  struct Type old = random_type(dice, depth - 1), type;
  struct Maker made;
  const int length = between(dice, 1, 4);
  switch (below(dice, 6)) {
    case 0:
      made = maker();
      put_block(&made, &old, length, 0);
      MPI_Type_contiguous(length, old.handle, &made.type.handle);
      type = made.type;
      break;
    case 1:
      type = resized(dice, &old);
      break;
    case 2:
      // A subarray of a type with a lower bound of its own is told in different ways.
      type = old.lower == 0 && !old.marked ? subarray(dice, &old) : indexed(dice, &old);
      break;
    case 3:
      type = indexed(dice, &old);
      break;
    default:
      type = vector(dice, &old);
  }
  free_type(&old);
  MPI_Type_commit(&type.handle);
  return type;
}

struct Type flat_type(const struct Type* type) {
  struct Type made = {.entries = type->entries, .entry = allocate(sizeof(struct Entry) * (size_t)type->entries)};
  int* lengths = allocate(sizeof(int) * (size_t)type->entries);
  MPI_Aint* places = allocate(sizeof(MPI_Aint) * (size_t)type->entries);
  MPI_Datatype* handles = allocate(sizeof(MPI_Datatype) * (size_t)type->entries);
  MPI_Datatype bare;
  MPI_Aint at = 0;
  for (int entry = 0; entry < type->entries; ++entry) {
    const int which = type->entry[entry].basic;
    lengths[entry] = 1;
    places[entry] = at;
    handles[entry] = basics[which].type;
    made.entry[entry] = (struct Entry){at, which};
    at += basics[which].bytes;
  }
  made.upper = at;
  made.marked = true;
  MPI_Type_create_struct(type->entries, lengths, places, handles, &bare);
  MPI_Type_create_resized(bare, 0, at, &made.handle);
  MPI_Type_free(&bare);
  MPI_Type_commit(&made.handle);
  free(handles);
  free(places);
  free(lengths);
  return made;
}

static void true_bounds(const struct Type* type, int count, MPI_Aint* lowest, MPI_Aint* highest) {
  *lowest = 0;
  *highest = 0;
  for (int turn = 0; turn < count; ++turn) {
    for (int at = 0; at < type->entries; ++at) {
      const MPI_Aint first = turn * extent_of(type) + type->entry[at].at;
      const MPI_Aint last = first + basics[type->entry[at].basic].bytes;
      if (first < *lowest) *lowest = first;
      if (last > *highest) *highest = last;
    }
  }
}

struct Memory memory_for(const struct Type* type, int count, struct Dice* dice) {
  enum { AROUND = 32 };
  MPI_Aint lowest, highest;
  true_bounds(type, count, &lowest, &highest);
  struct Memory memory = {NULL, (size_t)(highest - lowest + 2 * AROUND), NULL};
  memory.memory = allocate(memory.bytes);
  memory.base = memory.memory + AROUND - lowest;
  draw_bytes(dice, memory.memory, memory.bytes);
  return memory;
}

struct Memory copy_of(const struct Memory* memory) {
  struct Memory copy = {allocate(memory->bytes), memory->bytes, NULL};
  memcpy(copy.memory, memory->memory, memory->bytes);
  copy.base = copy.memory + (memory->base - memory->memory);
  return copy;
}

void free_memory(struct Memory* memory) { free(memory->memory); }

bool overlaps(const struct Type* type, int count) {
  MPI_Aint lowest, highest;
  true_bounds(type, count, &lowest, &highest);
  uint8_t* touched = allocate((size_t)(highest - lowest));
  bool twice = false;
  for (int turn = 0; turn < count; ++turn) {
    for (int at = 0; at < type->entries; ++at) {
      uint8_t* first = touched + (turn * extent_of(type) + type->entry[at].at - lowest);
      for (int byte = 0; byte < basics[type->entry[at].basic].bytes; ++byte) twice = first[byte]++ || twice;
    }
  }
  free(touched);
  return twice;
}

size_t pack(const struct Type* type, int count, const uint8_t* base, uint8_t* packed) {
  size_t done = 0;
  for (int turn = 0; turn < count; ++turn) {
    for (int at = 0; at < type->entries; ++at) {
      const size_t bytes = (size_t)basics[type->entry[at].basic].bytes;
      memcpy(packed + done, base + turn * extent_of(type) + type->entry[at].at, bytes);
      done += bytes;
    }
  }
  return done;
}

size_t unpack(const struct Type* type, int count, const uint8_t* packed, uint8_t* base, int entries) {
  size_t done = 0;
  for (int turn = 0; turn < count; ++turn) {
    for (int at = 0; at < type->entries && entries != 0; ++at, --entries) {
      const size_t bytes = (size_t)basics[type->entry[at].basic].bytes;
      memcpy(base + turn * extent_of(type) + type->entry[at].at, packed + done, bytes);
      done += bytes;
    }
  }
  return done;
}
