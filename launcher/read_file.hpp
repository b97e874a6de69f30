// Reading what the user has written.
#pragma once

#include <string>
#include <string_view>

namespace cohort {

// All of the file. Throws UsageError that names the option and the file.
std::string read_file(std::string_view option, const std::string& file);

}  // namespace cohort
