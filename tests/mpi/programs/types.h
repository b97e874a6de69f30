// SPDX-License-Identifier: Apache-2.0
// Random derived datatypes, with the type maps that the standard gives them, computed here.
#pragma once

#include "check.h"

enum { MOST_ENTRIES = 3000 };

struct Basic {
  MPI_Datatype type;
  int bytes;
  int swapped;  // bytes that external32 stores in the other order at a time
};

struct Entry {
  MPI_Aint at;
  int basic;
};

// A datatype and its meaning: the entries in the order of the type map.
struct Type {
  MPI_Datatype handle;
  int entries;
  struct Entry* entry;
  MPI_Aint lower, upper;
  bool marked;  // the bounds are explicit somewhere within
};

enum { BASICS = 9 };
extern struct Basic basics[BASICS];  // filled by prepare_types()

void prepare_types(void);

struct Type random_type(struct Dice* dice, int depth);  // committed
void free_type(struct Type* type);
MPI_Aint extent_of(const struct Type* type);
size_t size_of(const struct Type* type);

// Whether `count` of them touch a byte twice, so that they can't be received.
bool overlaps(const struct Type* type, int count);

// The same basic types without gaps. Memory of it is what the reference packer writes.
struct Type flat_type(const struct Type* type);

// Memory for `count` of them, with some room around; `base` is where displacement 0 is.
struct Memory {
  uint8_t* memory;
  size_t bytes;
  uint8_t* base;
};
struct Memory memory_for(const struct Type* type, int count, struct Dice* dice);  // with random contents
struct Memory copy_of(const struct Memory* memory);
void free_memory(struct Memory* memory);
#define EXPECT_MEMORY(found, expected) EXPECT_BYTES((found).memory, (expected).memory, (expected).bytes)

// The reference: the first `entries` basic elements (all: -1) of `count` types, from memory to bytes without gaps and
// back.
size_t pack(const struct Type* type, int count, const uint8_t* base, uint8_t* packed);
size_t unpack(const struct Type* type, int count, const uint8_t* packed, uint8_t* base, int entries);
