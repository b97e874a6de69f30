// Times over sizes as a picture: log-log, one line for each series, named at its end; a pale band under whichever is
// the fastest, and a strip below the axis that says which that is.
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
  std::vector<TimePoint> points;  // by rising size; what is not above zero can't be shown and is left out
};

// The SVG. What stands in `title` behind a line break is its second line, in smaller letters. The fastest are told
// apart at the sizes of the series' points; between them lines are straight.
std::string plot_times(std::string_view title, std::span<const TimeSeries> series);

}  // namespace cohort::pictures
