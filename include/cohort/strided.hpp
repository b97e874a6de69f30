// SPDX-License-Identifier: Apache-2.0
// Elements that do not lie one behind another.
#pragma once

#include "cohort/types.hpp"

namespace cohort {

// What strided() gives.
template <class T>
struct Strided {
  T* first;
  Count blocks;
  Count block_length;
  Count stride;
};

// `blocks` blocks of `block_length` elements each; a block begins `stride` elements after the one before. A column of a
// matrix with 100 columns and 50 rows: strided(&matrix[column], 50, 1, 100). To be sent, received and exchanged: the
// message is the elements of all blocks, so the other end may have them in one piece.
template <class T>
Strided<T> strided(T* first, Count blocks, Count block_length, Count stride) {
  return {first, blocks, block_length, stride};
}

}  // namespace cohort
