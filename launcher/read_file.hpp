// SPDX-License-Identifier: Apache-2.0
// Reads a file that the user names.
#pragma once

#include <string>
#include <string_view>

namespace cohort {

// The whole file. Throws UsageError that names the option and the file.
std::string read_file(std::string_view option, const std::string& file);

}  // namespace cohort
