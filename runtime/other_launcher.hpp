// SPDX-License-Identifier: Apache-2.0
// Whether a launcher other than `cohort run` has started this process as one of several. Each would then be a job of
// its own.
#pragma once

#include <optional>
#include <string>

namespace cohort {

// The warning for the user; only the first of the processes gets one.
std::optional<std::string> warning_of_other_launcher();

}  // namespace cohort
