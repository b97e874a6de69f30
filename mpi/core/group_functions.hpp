// SPDX-License-Identifier: Apache-2.0
// MPI's functions for groups. None communicates.
#pragma once

#include "mpi/core/process_group.hpp"

namespace cohort::mpi {

void group_size(ProcessGroup& group, int& size);
void group_rank(ProcessGroup& group, int& rank);
void group_translate_ranks(ProcessGroup& from, int n, const int* ranks, ProcessGroup& to, int* translated);
void group_compare(ProcessGroup& a, ProcessGroup& b, int& result);

void group_union(ProcessGroup& a, ProcessGroup& b, ProcessGroup*& result);
void group_intersection(ProcessGroup& a, ProcessGroup& b, ProcessGroup*& result);
void group_difference(ProcessGroup& a, ProcessGroup& b, ProcessGroup*& result);
void group_incl(ProcessGroup& group, int n, const int* ranks, ProcessGroup*& result);
void group_excl(ProcessGroup& group, int n, const int* ranks, ProcessGroup*& result);
// `ranges`: n times first rank, last rank, stride.
void group_range_incl(ProcessGroup& group, int n, const int* ranges, ProcessGroup*& result);
void group_range_excl(ProcessGroup& group, int n, const int* ranges, ProcessGroup*& result);
void group_free(ProcessGroup*& group);

}  // namespace cohort::mpi
