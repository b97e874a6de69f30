// SPDX-License-Identifier: Apache-2.0
// Writes a command's result.
#pragma once

#include <string>
#include <string_view>

namespace cohort {

// Writes to the file, or to standard output if its name is "-". Throws std::runtime_error that names the command and
// the file.
void write_file(std::string_view command, const std::string& file, std::string_view text);

}  // namespace cohort
