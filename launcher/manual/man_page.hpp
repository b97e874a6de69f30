// SPDX-License-Identifier: Apache-2.0
// Pages for man(1), section 1.
#pragma once

#include <string>

#include "launcher/manual/description.hpp"

namespace cohort::manual {

std::string man_page(const ProgramDescription& program);                                     // cohort(1)
std::string man_page(const ProgramDescription& program, const CommandDescription& command);  // cohort-run(1)

}  // namespace cohort::manual
