// Words as a POSIX shell reads and writes them.
#pragma once

#include <string>
#include <vector>

namespace cohort {

// Splits at spaces, minding quotes and backslashes; expands nothing. Throws UsageError if a quote is left open.
std::vector<std::string> split_words(const std::string& text);

// One word that a shell reads as exactly this text.
std::string quote(const std::string& word);

}  // namespace cohort
