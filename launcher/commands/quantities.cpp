// SPDX-License-Identifier: Apache-2.0
#include "launcher/commands/quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include "launcher/usage_error.hpp"

namespace cohort {
namespace {

struct Unit {
  const char* name;
  double factor;
};

// The number and its unit; a blank may stand between them.
std::pair<double, std::string> number_and_unit(const std::string& text) {
  double number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string unit(end, text.data() + text.size());
  if (!unit.empty() && unit.front() == ' ') unit.erase(0, 1);
  if (error != std::errc()) number = -1;
  return {number, unit};
}

}  // namespace

Count parse_whole(const std::string& option, const std::string& text, Count lowest, Count highest) {
  Count value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < lowest || value > highest) {
    throw UsageError(
        fmt::format("{}: a whole number from {} to {} is needed, not '{}'", option, lowest, highest, text));
  }
  return value;
}

double parse_time(const std::string& option, const std::string& text) {
  static constexpr double most_seconds = 1e6;
  static constexpr Unit units[] = {{"", 1},      {"s", 1},     {"ms", 1e-3}, {"us", 1e-6},
                                   {"µs", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}};
  const auto [number, name] = number_and_unit(text);
  for (const Unit& unit : units) {
    if (name == unit.name && number >= 0 && number * unit.factor <= most_seconds) return number * unit.factor;
  }
  throw UsageError(fmt::format("{}: a time is needed, as 50us, 1.5ms or 2e-6 (seconds), not '{}'", option, text));
}

Count parse_bytes(const std::string& option, const std::string& text, Count lowest) {
  static constexpr double most_bytes = 1e15;
  static constexpr const char* names[][4] = {
      {"", "b", "byte", "bytes"}, {"k", "kb", "ki", "kib"}, {"m", "mb", "mi", "mib"}, {"g", "gb", "gi", "gib"}};
  auto [number, name] = number_and_unit(text);
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (std::size_t power = 0; power < std::size(names); ++power) {
    const double bytes = number * std::pow(1024.0, power);
    if (!(bytes >= static_cast<double>(lowest) && bytes <= most_bytes)) continue;
    for (const char* known : names[power]) {
      if (name == known) return static_cast<Count>(bytes);
    }
  }
  throw UsageError(fmt::format("{}: a number of bytes is needed, as 65536, 64K or 16MB, not '{}'", option, text));
}

}  // namespace cohort
