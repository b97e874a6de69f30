// Writing what a command made.
#pragma once

#include <string>
#include <string_view>

namespace cohort {

// To the file, or to standard output where it is "-". Throws std::runtime_error that names the command and the file.
void write_file(std::string_view command, const std::string& file, std::string_view text);

}  // namespace cohort
