// Reading what the user has written.
#pragma once

#include <string>
#include <string_view>

namespace cohort {

// All of the file. Throws UsageError that names the option and the file.
std::string read_file(std::string_view option, const std::string& file);

// The text with a '?' for each byte beyond ASCII. No key and no value of our files has any, and what toml++ does with
// some of them, valid or not, is undefined.
std::string in_ascii(std::string text);

}  // namespace cohort
