#include "launcher/read_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "launcher/usage_error.hpp"

namespace cohort {

namespace {

// Bytes of the character that the text begins with, or 0 if it begins with none.
std::size_t character_size(std::string_view text) {
  const auto byte = [&](std::size_t place) { return static_cast<unsigned char>(text[place]); };
  if (byte(0) < 0x80) return 1;
  const std::size_t size = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // No character is longer than it need be, half of a pair, or beyond the last.
  if ((byte(0) == 0xe0 && byte(1) < 0xa0) || (byte(0) == 0xed && byte(1) > 0x9f)) return 0;
  if ((byte(0) == 0xf0 && byte(1) < 0x90) || (byte(0) == 0xf4 && byte(1) > 0x8f)) return 0;
  return size;
}

}  // namespace

void expect_utf8(std::string_view text, const std::string& file) {
  std::size_t line = 1;
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    if (size == 0) throw UsageError(fmt::format("{}:{}: this is not UTF-8", file, line));
    if (text.front() == '\n') ++line;
    text.remove_prefix(size);
  }
}

std::string read_file(std::string_view option, const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) throw UsageError(fmt::format("{}: cannot read {}: {}", option, file, std::strerror(errno)));
  return text.str();
}

}  // namespace cohort
