// SPDX-License-Identifier: Apache-2.0
// The core's objects that predefined handles stand for.
#pragma once

#include "mpi/core/datatype.hpp"
#include "mpi/core/object.hpp"

namespace cohort::mpi::faces {

// By the handle in the standard's ABI. Null: the handle stands for nothing, or for a communicator, which exists from
// MPI_Init on.
Object* predefined_object(Kind kind, int abi_handle);

// Numbers for types that the ABI does not have. MPI_LB and MPI_UB of MPI 1 are elements of a structure that state its
// bounds.
inline constexpr int lower_bound_handle = -1;
inline constexpr int upper_bound_handle = -2;
inline constexpr int two_complex_handle = -3;
inline constexpr int two_double_complex_handle = -4;
Datatype& lower_bound_marker();
Datatype& upper_bound_marker();

}  // namespace cohort::mpi::faces
