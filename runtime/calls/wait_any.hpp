// SPDX-License-Identifier: Apache-2.0
// Waits for one of several requests that do not lie side by side.
#pragma once

#include <cstddef>
#include <span>

#include "cohort/request.hpp"

namespace cohort::detail {

// Blocks until one of these requests, of which none has been waited for, has ended. Returns its place; its wait() does
// not block. Throws no error of the operation.
std::size_t wait_any(std::span<cohort::Request* const> requests);

}  // namespace cohort::detail
