// SPDX-License-Identifier: Apache-2.0
// Splits and quotes words as a POSIX shell does.
#pragma once

#include <string>
#include <vector>

namespace cohort {

// Splits at blanks outside quotes and backslashes; expands nothing. Throws UsageError if a quote is left open.
std::vector<std::string> split_words(const std::string& text);

// One word that a shell reads as exactly this text.
std::string quote(const std::string& word);

}  // namespace cohort
