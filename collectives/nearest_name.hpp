// SPDX-License-Identifier: Apache-2.0
// The name that a mistyped one was meant to be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cohort {

// " (did you mean 'bcast'?)" for "bcst", or nothing if no known name is near: at most a third of its letters are wrong,
// left out, too many or exchanged with their neighbours. The name that is nearest counts, or the first of several.
std::string did_you_mean(std::string_view given, const std::vector<std::string>& known);

}  // namespace cohort
