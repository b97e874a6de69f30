// SPDX-License-Identifier: Apache-2.0
// What --help prints.
#pragma once

#include <cstddef>
#include <string>

#include "launcher/manual/description.hpp"

namespace cohort::manual {

struct Style {
  std::size_t width = 100;  // characters a line
  bool bold = false;        // headings are bold, by the escapes of terminals
};

// `text` as a heading.
std::string heading(const std::string& text, Style style);

std::string help_text(const ProgramDescription& program, const CommandDescription& command, Style style);

// The commands, one a line.
std::string overview(const ProgramDescription& program, Style style);

}  // namespace cohort::manual
