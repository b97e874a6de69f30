// Whether another launcher than `cohort run` has started this process as one of several: each would be a job of its
// own.
#pragma once

#include <optional>
#include <string>

namespace cohort {

// What to tell the user, once: in the first process of those that it has started.
std::optional<std::string> warning_of_other_launcher();

}  // namespace cohort
