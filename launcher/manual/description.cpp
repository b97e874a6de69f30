// SPDX-License-Identifier: Apache-2.0
#include "launcher/manual/description.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace cohort::manual {
namespace {

bool is_a_word(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::islower(c) != 0; });
}

// Characters, not bytes.
std::size_t length_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](unsigned char byte) { return (byte & 0xc0) != 0x80; }));
}

}  // namespace

std::vector<std::string> words_of(const OptionDescription& option) {
  std::vector<std::string> words;
  std::istringstream parts(option.value);
  for (std::string part; std::getline(parts, part, '|');) {
    if (is_a_word(part)) words.push_back(part);
  }
  return words;
}

std::string with_value(const OptionDescription& option) {
  std::string text;
  for (const std::string& name : option.names) text += (text.empty() ? "" : ", ") + name;
  if (option.positional) return text;
  return option.value.empty() ? text : text + " " + option.value;
}

std::vector<std::string> groups_of(const CommandDescription& command) {
  std::vector<std::string> groups;
  for (const OptionDescription& option : command.options) {
    if (std::ranges::find(groups, option.group) == groups.end()) groups.push_back(option.group);
  }
  return groups;
}

std::vector<Piece> pieces_of(const std::string& more) {
  std::vector<Piece> pieces;
  bool goes_on = false;  // the line belongs to the piece before it
  std::istringstream lines(more);
  for (std::string line; std::getline(lines, line);) {
    const bool as_it_is = line.starts_with("  ");
    if (line.empty()) {
      goes_on = false;
    } else if (goes_on && pieces.back().as_it_is == as_it_is) {
      pieces.back().text += (as_it_is ? "\n" : " ") + line;
    } else {
      pieces.push_back({as_it_is, line});
      goes_on = true;
    }
  }
  return pieces;
}

std::string wrapped(const std::string& words, std::size_t width, std::size_t indent) {
  std::string text;
  std::size_t column = 0;
  std::istringstream all(words);
  for (std::string word; all >> word;) {
    const std::size_t length = length_of(word);
    if (column > 0 && column + 1 + length <= width) {
      text += " " + word;
      column += 1 + length;
    } else {
      text += (text.empty() ? "" : "\n") + std::string(indent, ' ') + word;
      column = indent + length;
    }
  }
  return text;
}

}  // namespace cohort::manual
