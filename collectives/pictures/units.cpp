// SPDX-License-Identifier: Apache-2.0
#include "collectives/pictures/units.hpp"

#include <algorithm>
#include <cmath>

namespace cohort::pictures {

std::string three_digits(double value) {
  if (value == 0) return "0";
  const int before_point = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9)) + 1;
  const int decimals = std::clamp(3 - before_point, 0, 9);
  const double scale = std::pow(10.0, decimals);
  auto whole = static_cast<long long>(std::floor(std::abs(value) * scale + 0.5 + 1e-6));
  std::string digits = std::to_string(whole);
  if (decimals > 0) {
    if (static_cast<int>(digits.size()) <= decimals) {
      digits.insert(0, static_cast<std::size_t>(decimals + 1) - digits.size(), '0');
    }
    digits.insert(digits.size() - static_cast<std::size_t>(decimals), ".");
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
  }
  return (value < 0 ? "-" : "") + digits;
}

std::string bytes_text(double bytes) {
  static constexpr const char* names[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  int unit = 0;
  while (bytes >= 1023.5 && unit < 4) {
    bytes /= 1024;
    ++unit;
  }
  return three_digits(bytes) + " " + names[unit];
}

TimeUnit time_unit(double longest) {
  for (const TimeUnit unit : {TimeUnit{1, "s"}, TimeUnit{1e-3, "ms"}, TimeUnit{1e-6, "µs"}}) {
    if (longest >= unit.seconds * (1 - 1e-9)) return unit;
  }
  return {1e-9, "ns"};
}

std::string seconds_text(double seconds) {
  const TimeUnit unit = time_unit(seconds);
  return three_digits(seconds / unit.seconds) + " " + unit.name;
}

double round_step(double span, int parts) {
  if (!(span > 0)) return 1;
  const double least = span / parts;
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (power * factor >= least * (1 - 1e-9)) return power * factor;
  }
  return power * 10;
}

double text_width(const std::string& text, double size) {
  const auto letters = std::count_if(text.begin(), text.end(), [](char letter) { return (letter & 0xC0) != 0x80; });
  return 0.6 * size * static_cast<double>(letters);
}

}  // namespace cohort::pictures
