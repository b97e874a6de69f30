// Makes text of others safe to show: names of files and hosts, arguments, words of exceptions and of remote shells.
// They may hold any bytes, and a terminal or a log reader must get only printable ones.
#pragma once

#include <string>
#include <string_view>

namespace cohort {

// The same text as UTF-8 without control characters: other bytes are written as \xHH. Ends of lines and tabs stay.
std::string printable(std::string_view text);

// A name within a longer text: an end of a line in it is written as \n, so that it can't begin a line of its own.
std::string on_one_line(std::string_view name);

}  // namespace cohort
