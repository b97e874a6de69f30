// SPDX-License-Identifier: Apache-2.0
// Makes foreign text safe to show: names of files and hosts, arguments, messages of exceptions and remote shells. Such
// text may hold any bytes, and a terminal or a log reader must get only printable ones.
#pragma once

#include <string>
#include <string_view>

namespace cohort {

// The text as UTF-8 without control characters: other bytes are written as \xHH. Newlines and tabs stay.
std::string printable(std::string_view text);

// The name with each newline written as \n, so that the name can't begin a new line within a longer text.
std::string on_one_line(std::string_view name);

}  // namespace cohort
