// SPDX-License-Identifier: Apache-2.0
// Records a constructor's arguments while it makes a datatype.
#pragma once

#include <fmt/format.h>

#include "mpi/core/datatype.hpp"
#include "mpi/core/mistake.hpp"

namespace cohort::mpi {

// Where the standard's table for MPI_Type_get_contents puts an argument: counts and displacements of _c functions among
// the large counts, others among the integers and the addresses.
class Recording {
 public:
  Recording(int combiner, bool is_wide) : is_wide_(is_wide) { recipe_.combiner = combiner; }

  Recording& integer(int number) {
    recipe_.integers.push_back(number);
    return *this;
  }
  Recording& integers(const int* numbers, int number) {
    recipe_.integers.insert(recipe_.integers.end(), numbers, numbers + number);
    return *this;
  }
  Recording& count(Count number) {
    if (is_wide_) {
      recipe_.counts.push_back(number);
    } else {
      recipe_.integers.push_back(static_cast<int>(number));
    }
    return *this;
  }
  Recording& counts(Numbers numbers, Count number) {
    for (Count i = 0; i < number; ++i) count(numbers[static_cast<std::size_t>(i)]);
    return *this;
  }
  Recording& address(Aint address) {
    (is_wide_ ? recipe_.counts : recipe_.addresses).push_back(address);
    return *this;
  }
  Recording& addresses(Numbers addresses, Count number) {
    for (Count i = 0; i < number; ++i) address(addresses[static_cast<std::size_t>(i)]);
    return *this;
  }
  Recording& type(Datatype& old) {
    recipe_.types.emplace_back(&old);
    return *this;
  }

  Datatype* make(TypeMap map) { return new Datatype(std::move(map), std::move(recipe_)); }

 private:
  Recipe recipe_;
  const bool is_wide_;
};

inline void require_not_negative(Count number, int code, const char* what) {
  if (number < 0) throw Mistake(code, fmt::format("the {} is {}, but must be 0 or more", what, number));
}

}  // namespace cohort::mpi
