// SPDX-License-Identifier: Apache-2.0
// Sizes and times as people read them.
#pragma once

#include <string>

#include "cohort/types.hpp"

namespace cohort::pictures {

// At most three significant digits, without trailing zeros: "2.5", "0.08", "640".
std::string three_digits(double value);

std::string bytes_text(double bytes);      // "10.7 KiB"
std::string seconds_text(double seconds);  // "7.2 ms"

// A unit, and its seconds, in which `longest` has one to three digits before the point.
struct TimeUnit {
  double seconds;
  const char* name;
};
TimeUnit time_unit(double longest);

// The step of 1, 2 or 5 times a power of ten that divides `span` into at most `parts` parts.
double round_step(double span, int parts);

// The largest width of a text in the pictures' typeface.
double text_width(const std::string& text, double size);

}  // namespace cohort::pictures
