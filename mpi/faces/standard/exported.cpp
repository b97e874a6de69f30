// SPDX-License-Identifier: Apache-2.0
// Data that the standard's library exports.
#include <array>

#pragma GCC visibility push(default)
extern "C" {

namespace {
std::array<int, 8> status_ignore;
std::array<int, 8> statuses_ignore;
}  // namespace

int* MPI_F_STATUS_IGNORE = status_ignore.data();
int* MPI_F_STATUSES_IGNORE = statuses_ignore.data();
}
#pragma GCC visibility pop
