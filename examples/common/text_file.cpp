// SPDX-License-Identifier: Apache-2.0
// Reading by shares of the bytes.
#include "text_file.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "program.hpp"

namespace examples {

Range share_of(std::int64_t total, int part, int parts) {
  const std::int64_t least = total / parts;
  const std::int64_t longer = total % parts;  // the first ones have one more
  const auto begin_of = [&](std::int64_t index) { return index * least + std::min(index, longer); };
  return {begin_of(part), begin_of(part + 1)};
}

std::int64_t size_of(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw BadInput(path + ": " + (error ? error.message() : "no such file"));
  if (!std::filesystem::is_regular_file(status)) throw BadInput(path + ": is not a regular file");
  const auto size = std::filesystem::file_size(path, error);
  if (error) throw BadInput(path + ": " + error.message());
  return static_cast<std::int64_t>(size);
}

std::ifstream open(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw BadInput(path + ": " + std::strerror(errno));
  return file;
}

std::vector<std::string> lines_of(const std::string& path, int part, int parts) {
  const Range share = share_of(size_of(path), part, parts);
  std::ifstream file = open(path);
  std::string line;
  std::int64_t position = share.begin;
  if (position > 0) {  // the rest of a line that began before is not ours
    file.seekg(position - 1);
    std::getline(file, line);
    position += static_cast<std::int64_t>(line.size());
  }

  std::vector<std::string> lines;
  while (position < share.end && std::getline(file, line)) {
    position += static_cast<std::int64_t>(line.size()) + 1;
    lines.push_back(line);
  }
  return lines;
}

namespace {

template <class Number>
Number number(const std::string& text, const std::string& path, std::int64_t line, const char* kind) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  const char* begin = text.data();
  const char* end = begin + text.size();
  while (begin < end && blank(*begin)) ++begin;
  while (begin < end && blank(end[-1])) --end;
  Number value{};
  const auto [rest, error] = std::from_chars(begin, end, value);
  if (error != std::errc{} || rest != end) {
    const char* wrong = error == std::errc::result_out_of_range ? "' is out of range for " : "' is not ";
    throw BadInput(path + ":" + std::to_string(line) + ": '" + std::string(begin, end) + wrong + kind);
  }
  return value;
}

}  // namespace

std::int64_t whole_number(const std::string& text, const std::string& path, std::int64_t line) {
  return number<std::int64_t>(text, path, line, "a whole number");
}

double decimal_number(const std::string& text, const std::string& path, std::int64_t line) {
  const double value = number<double>(text, path, line, "a number");
  if (!std::isfinite(value)) throw BadInput(path + ":" + std::to_string(line) + ": '" + text + "' is not finite");
  return value;
}

}  // namespace examples
