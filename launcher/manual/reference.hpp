// SPDX-License-Identifier: Apache-2.0
// The manual's page of all commands and options, in Markdown.
#pragma once

#include <string>

#include "launcher/manual/description.hpp"

namespace cohort::manual {

std::string reference_page(const ProgramDescription& program);

}  // namespace cohort::manual
