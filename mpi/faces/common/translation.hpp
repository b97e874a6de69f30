// SPDX-License-Identifier: Apache-2.0
// Numbers that mean the same in a face and in the core, but have other values.
#pragma once

#include <algorithm>
#include <array>
#include <climits>
#include <cstddef>

namespace cohort::mpi::faces {

struct Pair {
  int here;  // in the face
  int core;
};

// The numbers of one section of constants.table. Numbers above both ends are the program's own, counted on from there
// (ranks from 0, error codes above MPI_ERR_LASTCODE). Others that have no pair stay as they are.
template <std::size_t n>
class Translation {
 public:
  // If several pairs have the same number here, the first counts on the way in; likewise on the way out.
  constexpr Translation(std::array<Pair, n> pairs, Pair ends) : pairs_(pairs), ends_(ends) {}

  constexpr int to_core(int here) const {
    if (here > ends_.here) return here - ends_.here + ends_.core;
    for (const Pair& pair : pairs_) {
      if (pair.here == here) return pair.core;
    }
    return means_something(here) ? no_value : here;
  }
  constexpr int to_face(int core) const {
    if (core > ends_.core) return core - ends_.core + ends_.here;
    for (const Pair& pair : pairs_) {
      if (pair.core == core) return pair.here;
    }
    return core;
  }

 private:
  // What the core gets for a number that means nothing in the face, but something in the core.
  static constexpr int no_value = INT_MIN;
  constexpr bool means_something(int core) const {
    return std::ranges::any_of(pairs_, [core](const Pair& pair) { return pair.core == core; });
  }

  std::array<Pair, n> pairs_;
  Pair ends_;
};

// Of a face that has the core's numbers.
struct Same {
  static constexpr int to_core(int here) { return here; }
  static constexpr int to_face(int core) { return core; }
};

}  // namespace cohort::mpi::faces
