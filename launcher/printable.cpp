// SPDX-License-Identifier: Apache-2.0
#include "launcher/printable.hpp"

#include <algorithm>
#include <cstddef>

namespace cohort {

namespace {

unsigned char byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

bool is_shown(char32_t code) {
  if (code == '\n' || code == '\t') return true;
  const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return !control && !surrogate && code <= 0x10ffff;
}

// The length in bytes of the text's first character. 0 if there is no valid character, or if it must not be shown.
std::size_t length_of_first(std::string_view text) {
  const unsigned char first = byte_at(text, 0);
  const std::size_t length = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (length == 0 || first >= 0xf8 || length > text.size()) return 0;
  char32_t code = length == 1 ? first : first & (0x7f >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte_at(text, i) & 0x3f);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};  // by length: UTF-8 forbids longer encodings of less
  return code >= least[length] && is_shown(code) ? length : 0;
}

}  // namespace

std::string printable(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = length_of_first(text);
    if (length == 0) shown += {'\\', 'x', digits[byte_at(text, 0) >> 4], digits[byte_at(text, 0) & 0xf]};
    shown += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return shown;
}

std::string on_one_line(std::string_view name) {
  std::string line;
  for (const char c : name) c == '\n' ? line += "\\n" : line += c;
  return line;
}

}  // namespace cohort
