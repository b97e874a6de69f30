// SPDX-License-Identifier: Apache-2.0
// Element types and operators by the numbers of the C interface, as calls describe them.
#pragma once

#include "cohort/cohort.h"
#include "cohort/detail/call.hpp"

namespace cohort::c {

struct ElementType {
  std::size_t bytes = 1;
  detail::Code code = 0;
};

// These throw Error(argument) if there is no such type or operator, or if the operator is not defined for the type.
ElementType element_type(cohort_type type, const Where& where);
detail::Reduction reduction(cohort_type type, const cohort_operator* operation, const Where& where);

}  // namespace cohort::c
