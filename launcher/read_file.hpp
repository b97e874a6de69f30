// Reading what the user has written.
#pragma once

#include <string>
#include <string_view>

namespace cohort {

// All of the file. Throws UsageError that names the option and the file.
std::string read_file(std::string_view option, const std::string& file);

// Throws UsageError that names the file and the line, if the text is not UTF-8: toml++ takes for granted that it is.
void expect_utf8(std::string_view text, const std::string& file);

}  // namespace cohort
