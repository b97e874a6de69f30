// SPDX-License-Identifier: Apache-2.0
// The predefined types and operators of reductions, and what the standard says that they do.
#pragma once

#include "check.h"

enum Operator { SUM, PROD, MAX, MIN, LAND, LOR, LXOR, BAND, BOR, BXOR, MINLOC, MAXLOC, OPERATORS };

MPI_Op handle_of(enum Operator operator);
const char* name_of(enum Operator operator);

struct Number {
  MPI_Datatype type;
  const char* name;
  size_t bytes;
  void (*draw)(struct Dice* dice, void* element);  // small whole numbers, so that no order of operations matters
  bool (*fold)(enum Operator operator, const void* left, void* right);  // right = left op right; false: not defined
  bool (*equal)(const void* found, const void* expected);               // bytes between and behind values do not count
};

enum { MOST_NUMBERS = 48 };
int all_numbers(struct Number* numbers);  // returns how many
