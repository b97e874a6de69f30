// SPDX-License-Identifier: Apache-2.0
// Every reduction, in all its forms and in place or not, of any operator, against a fold over the ranks in their order.
#pragma once

#include "check.h"

// Elements are `bytes` apart. `draw` makes one, `fold` makes right = left op right of one.
struct Reduction {
  MPI_Datatype type;
  MPI_Op op;
  const char* name;
  size_t bytes;
  void (*draw)(struct Dice* dice, void* element);
  void (*fold)(const struct Reduction* reduction, const void* left, void* right);
  bool (*equal)(const void* found, const void* expected);
  int which;  // for `fold`
};

// So many of the collectives, with random counts, roots and forms; the same at all ranks.
void run_reductions(const struct Reduction* reduction, int collectives, struct Dice* dice, MPI_Comm comm);
