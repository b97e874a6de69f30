// SPDX-License-Identifier: Apache-2.0
#include "cohort/error.hpp"

#include "cohort/failure.hpp"
#include "runtime/shared_pointers.hpp"

namespace cohort::detail {

template class Shared<const Failure>;  // what an Error holds: here, so that parts that only throw need no runtime

}  // namespace cohort::detail
