// SPDX-License-Identifier: Apache-2.0
// Times over sizes as a picture: log-log, one line for each series, named at its end. A pale band is under the fastest
// series, and a strip below the axis names it. A second plot shows the same times as multiples of the fastest: lines
// that run side by side hide a factor of two.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cohort::pictures {

struct TimePoint {
  double bytes = 0;
  double seconds = 0;
};

struct TimeSeries {
  std::string name;
  std::vector<TimePoint> points;  // by rising size; values of zero or less are left out
};

// The SVG. The text of `title` after a line break is its second line, in smaller letters. The fastest series is found
// at the sizes of the series' points; lines are straight between them.
std::string plot_times(std::string_view title, std::span<const TimeSeries> series);

}  // namespace cohort::pictures
