// SPDX-License-Identifier: Apache-2.0
// Random derived datatypes, each compared with the type map that the standard gives it: sizes and bounds; messages from
// it to its basic types without gaps and back; messages that fill a part of it; pack and unpack; external32.
#include "types.h"

struct Case {
  struct Type type, flat;
  int count;
  size_t bytes;      // of all of them
  uint8_t* packed;   // random, or what the reference packs
  struct Dice dice;  // its own at each rank
};

static void expect_bounds(const struct Case* c) {
  MPI_Aint lower = -1, extent = -1;
  MPI_Count wide_lower = -1, wide_extent = -1;
  int bytes = -1;
  MPI_Type_size(c->type.handle, &bytes);
  EXPECT_EQ(bytes, size_of(&c->type));
  MPI_Type_get_extent(c->type.handle, &lower, &extent);
  EXPECT_EQ(lower, c->type.lower);
  EXPECT_EQ(extent, extent_of(&c->type));
  MPI_Type_get_extent_x(c->type.handle, &wide_lower, &wide_extent);
  EXPECT_EQ(wide_lower, lower);
  EXPECT_EQ(wide_extent, extent);
  if (c->type.entries == 0) return;
  MPI_Aint first = c->type.entry[0].at, last = first;
  for (int at = 0; at < c->type.entries; ++at) {
    const struct Entry* entry = &c->type.entry[at];
    if (entry->at < first) first = entry->at;
    if (entry->at + basics[entry->basic].bytes > last) last = entry->at + basics[entry->basic].bytes;
  }
  MPI_Type_get_true_extent(c->type.handle, &lower, &extent);
  EXPECT_EQ(lower, first);
  EXPECT_EQ(extent, last - first);
}

static void exchange(const void* out, int sent, MPI_Datatype sent_type, void* in, int room, MPI_Datatype type,
                     MPI_Status* status) {
  MPI_Sendrecv(out, sent, sent_type, (me + 1) % ranks, 1, in, room, type, (me - 1 + ranks) % ranks, 1, MPI_COMM_WORLD,
               status);
}

// All ranks have the same type and, if they draw from the same dice, the same data.
static void expect_gathered(struct Case* c) {
  struct Memory memory = memory_for(&c->type, c->count, &c->dice);
  const struct Memory before = copy_of(&memory);
  pack(&c->type, c->count, memory.base, c->packed);
  uint8_t* found = allocate(c->bytes + 1);
  found[c->bytes] = 77;
  MPI_Status status;
  exchange(memory.base, c->count, c->type.handle, found, c->count, c->flat.handle, &status);
  EXPECT_BYTES(found, c->packed, c->bytes);
  EXPECT_EQ(found[c->bytes], 77);
  EXPECT_MEMORY(memory, before);
  int count = -1;
  MPI_Get_count(&status, c->flat.handle, &count);
  EXPECT_EQ(count, c->bytes ? c->count : 0);
  free(found);
  free_memory(&memory);
  free(before.memory);
}

static void expect_scattered(struct Case* c) {
  if (overlaps(&c->type, c->count)) return;
  draw_bytes(&c->dice, c->packed, c->bytes);
  struct Memory found = memory_for(&c->type, c->count, &c->dice), expected = copy_of(&found);
  unpack(&c->type, c->count, c->packed, expected.base, -1);
  exchange(c->packed, c->count, c->flat.handle, found.base, c->count, c->type.handle, MPI_STATUS_IGNORE);
  EXPECT_MEMORY(found, expected);
  free_memory(&found);
  free_memory(&expected);
}

// A message of whole types and some basic elements more, by a type of its own.
static void expect_part(struct Case* c) {
  if (overlaps(&c->type, c->count) || c->type.entries == 0) return;
  const int whole = below(&c->dice, c->count), more = below(&c->dice, c->type.entries);
  const int entries = whole * c->type.entries + more;
  struct Type part = {.entries = entries, .entry = allocate(sizeof(struct Entry) * (size_t)entries)};
  for (int at = 0; at < entries; ++at) part.entry[at] = c->type.entry[at % c->type.entries];
  struct Type sent = flat_type(&part);
  draw_bytes(&c->dice, c->packed, c->bytes);
  struct Memory found = memory_for(&c->type, c->count, &c->dice), expected = copy_of(&found);
  unpack(&c->type, c->count, c->packed, expected.base, entries);
  MPI_Status status;
  exchange(c->packed, 1, sent.handle, found.base, c->count, c->type.handle, &status);
  EXPECT_MEMORY(found, expected);
  int elements = -1, count = -1;
  MPI_Count many = -1;
  MPI_Get_elements(&status, c->type.handle, &elements);
  EXPECT_EQ(elements, entries);
  MPI_Get_elements_x(&status, c->type.handle, &many);
  EXPECT_EQ(many, entries);
  MPI_Get_count(&status, c->type.handle, &count);
  EXPECT_EQ(count, more ? MPI_UNDEFINED : whole);
  free_memory(&found);
  free_memory(&expected);
  free_type(&sent);
  free(part.entry);
}

// Packed data of both types is the same, and can be sent and received as either.
static void expect_packed(struct Case* c) {
  struct Memory memory = memory_for(&c->type, c->count, &c->dice);
  int room = 0, position = 0;
  MPI_Pack_size(c->count, c->type.handle, MPI_COMM_WORLD, &room);
  EXPECT(room >= (int)c->bytes);
  uint8_t* units = allocate((size_t)room);
  uint8_t* found = allocate(c->bytes);
  for (int at = 0; at < c->count; ++at) {
    const uint8_t* one = memory.base + at * extent_of(&c->type);
    MPI_Pack(one, 1, c->type.handle, units, room, &position, MPI_COMM_WORLD);
  }
  pack(&c->type, c->count, memory.base, c->packed);
  const int packed = position;
  position = 0;
  MPI_Unpack(units, packed, &position, found, c->count, c->flat.handle, MPI_COMM_WORLD);
  EXPECT_EQ(position, packed);
  EXPECT_BYTES(found, c->packed, c->bytes);
  memset(found, 0, c->bytes);
  exchange(units, packed, MPI_PACKED, found, c->count, c->flat.handle, MPI_STATUS_IGNORE);
  EXPECT_BYTES(found, c->packed, c->bytes);
  if (!overlaps(&c->type, c->count)) {
    struct Memory expected = copy_of(&memory), back;
    draw_bytes(&c->dice, memory.memory, memory.bytes);
    back = copy_of(&memory);
    unpack(&c->type, c->count, c->packed, back.base, -1);
    position = 0;
    MPI_Unpack(units, packed, &position, memory.base, c->count, c->type.handle, MPI_COMM_WORLD);
    EXPECT_MEMORY(memory, back);
    free_memory(&expected);
    free_memory(&back);
  }
  free(found);
  free(units);
  free_memory(&memory);
}

// In external32 each basic element has its most significant byte first.
static void expect_external(struct Case* c) {
  struct Memory memory = memory_for(&c->type, c->count, &c->dice);
  MPI_Aint room = -1, position = 0;
  MPI_Pack_external_size("external32", c->count, c->type.handle, &room);
  EXPECT_EQ(room, c->bytes);
  uint8_t* found = allocate(c->bytes);
  uint8_t* expected = allocate(c->bytes);
  MPI_Pack_external("external32", memory.base, c->count, c->type.handle, found, room, &position);
  EXPECT_EQ(position, c->bytes);
  pack(&c->type, c->count, memory.base, c->packed);
  size_t at = 0;
  while (at < c->bytes) {
    for (int entry = 0; entry < c->type.entries; ++entry) {
      const struct Basic* basic = &basics[c->type.entry[entry].basic];
      for (int byte = 0; byte < basic->bytes; ++byte) {
        const int within = byte % basic->swapped;
        expected[at + (size_t)byte] = c->packed[at + (size_t)(byte - within + basic->swapped - 1 - within)];
      }
      at += (size_t)basic->bytes;
    }
  }
  EXPECT_BYTES(found, expected, c->bytes);
  position = 0;
  memset(expected, 0, c->bytes);
  MPI_Unpack_external("external32", found, room, &position, expected, c->count, c->flat.handle);
  EXPECT_EQ(position, c->bytes);
  EXPECT_BYTES(expected, c->packed, c->bytes);
  free(expected);
  free(found);
  free_memory(&memory);
}

int main(int argc, char** argv) {
  begin(argc, argv, "datatypes", 60);
  prepare_types();
  while (next_round()) {
    struct Dice dice = dice_of(1, 2);  // the same at all ranks
    struct Case c = {.type = random_type(&dice, 3), .dice = dice};
    c.count = between(&dice, 1, below(&dice, 6) ? 5 : 300);
    c.flat = flat_type(&c.type);
    c.bytes = size_of(&c.type) * (size_t)c.count;
    c.packed = allocate(c.bytes);
    expect_bounds(&c);
    expect_gathered(&c);
    expect_scattered(&c);
    expect_part(&c);
    expect_packed(&c);
    expect_external(&c);
    free(c.packed);
    free_type(&c.flat);
    free_type(&c.type);
  }
  return finish();
}
