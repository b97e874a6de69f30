// SPDX-License-Identifier: Apache-2.0
// A library with the name of another MPI's.
extern "C" int other_mpi_size() { return 1; }
