// SPDX-License-Identifier: Apache-2.0
// Datatypes from a seed, each with its model.
#pragma once

#include <optional>
#include <string>

#include "mpi/core/datatype.hpp"
#include "tests/mpi/type_model.hpp"
#include "tests/random/random.hpp"

namespace cohort::mpi {

struct RandomType {
  Ref<Datatype> type;
  Model model;
  std::string made_by;  // the constructors, from the outermost
};

// Made by up to `depth` constructors, each around the one before. Its elements are at most some hundreds of values.
RandomType random_type(testing::Random& random, int depth);

}  // namespace cohort::mpi
