// SPDX-License-Identifier: Apache-2.0
// The standard's error classes, in words.
#pragma once

namespace cohort::mpi {

// "MPI_ERR_RANK: a rank is out of range"; null if the standard has no such class.
const char* text_of_class(int error_class);

}  // namespace cohort::mpi
