// SPDX-License-Identifier: Apache-2.0
// Scripts that complete commands, options and their values in shells.
#pragma once

#include <string>

#include "launcher/manual/description.hpp"

namespace cohort::manual {

std::string bash_completion(const ProgramDescription& program);
std::string zsh_completion(const ProgramDescription& program);
std::string fish_completion(const ProgramDescription& program);

}  // namespace cohort::manual
