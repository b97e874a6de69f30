// What the command shows of text that others have made: names of files and hosts, arguments, words of exceptions and of
// remote shells. They may hold any bytes; a terminal, or a program that reads a log, is to get none that it can't show.
#pragma once

#include <string>
#include <string_view>

namespace cohort {

// The same text as UTF-8 without control characters: other bytes are written as \xHH. Ends of lines and tabs stay.
std::string printable(std::string_view text);

// A name within a longer text: an end of a line in it is written as \n, so that it can't begin a line of its own.
std::string on_one_line(std::string_view name);

}  // namespace cohort
