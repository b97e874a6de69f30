// SPDX-License-Identifier: Apache-2.0
// A page of the manual, which is Markdown, for people to read in a terminal.
#pragma once

#include <string>

#include "launcher/manual/help_text.hpp"

namespace cohort::manual {

// Headings without marks, links as their words, paragraphs in lines of the terminal's width, each row of a table as its
// first cell and, behind an indent, the others. Code stays as it is.
std::string in_terminal(const std::string& markdown, Style style);

// The text of the first heading.
std::string title_of(const std::string& markdown);

}  // namespace cohort::manual
