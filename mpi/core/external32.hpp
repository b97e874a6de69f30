// SPDX-License-Identifier: Apache-2.0
// The standard's representation of data that all machines can read: big-endian, IEEE numbers, fixed sizes.
#pragma once

#include "mpi/core/signature.hpp"

namespace cohort::mpi {

// Convert packed elements. Throw Mistake(err_conversion) where a value does not fit into the other's bytes.
void to_external(const Signature& signature, Count elements, const std::byte* packed, std::byte* external);
void from_external(const Signature& signature, Count elements, const std::byte* external, std::byte* packed);

}  // namespace cohort::mpi
