// SPDX-License-Identifier: Apache-2.0
#include "collectives/pictures/plot.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "collectives/pictures/palette.hpp"
#include "collectives/pictures/spread.hpp"
#include "collectives/pictures/svg.hpp"
#include "collectives/pictures/units.hpp"

namespace cohort::pictures {
namespace {

constexpr double left = 76;
constexpr double top = 78;
constexpr double plot_width = 560;
constexpr double least_height = 420;
constexpr double label_step = 15;  // pixels between names
constexpr double name_size = 11;
constexpr double strip_height = 18;
constexpr double below = 80;  // space below the plot of the times, for the strip, the sizes, the next plot's title

std::string plot_style() {
  std::string css{typeface};
  css +=
      ".t{font-size:18px;font-weight:700}.u{font-size:12px;fill:#555}.a{font-size:11px;fill:#666}.e{text-anchor:end}"
      ".m{text-anchor:middle}.n{font-size:11px}.g{stroke:#e6e8ea;fill:none}.f{fill:none;stroke:#c9ced4}"
      ".v{fill:none;stroke:#ffe28a;stroke-width:11;stroke-linecap:round;stroke-linejoin:round}"
      ".y{fill:none;stroke-width:1.8;stroke-linejoin:round}.z{stroke-width:2.6}.j{fill:none;stroke-width:.8}"
      ".w{fill:#fff}.q{font-weight:700}.i{stroke-dasharray:7 3}.h{stroke-dasharray:2.5 2.5}\n";
  for (int i = 0; i < kinds_count; ++i) {
    const std::string colour(kinds[i]);
    css += ".c" + std::to_string(i) + "{fill:" + colour + "}.s" + std::to_string(i) + "{stroke:" + colour + "}";
  }
  return css + "\n";
}

// The time at this size, by straight lines between the points' logarithms; nothing outside of the series.
std::optional<double> log_time(const TimeSeries& series, double log_bytes) {
  const std::vector<TimePoint>& points = series.points;
  static constexpr double close = 1e-9;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double at = std::log(points[i].bytes);
    if (std::abs(at - log_bytes) < close) return std::log(points[i].seconds);
    if (at < log_bytes || i == 0) continue;
    const double before = std::log(points[i - 1].bytes);
    if (before > log_bytes) continue;
    const double part = (log_bytes - before) / (at - before);
    return (1 - part) * std::log(points[i - 1].seconds) + part * std::log(points[i].seconds);
  }
  return {};
}

// The fastest series at each size that any series has.
struct Best {
  double log_bytes;
  double log_seconds;
  std::size_t series;
};

class Plot {
 public:
  explicit Plot(std::span<const TimeSeries> series) {
    for (const TimeSeries& given : series) {
      TimeSeries kept{given.name, {}};
      for (const TimePoint& point : given.points) {
        if (point.bytes > 0 && point.seconds > 0) kept.points.push_back(point);
      }
      if (!kept.points.empty()) series_.push_back(std::move(kept));
    }
    drop_common_folder();
    find_range();
    find_best();
    find_ratios();
    height_ = std::max(least_height, label_step * static_cast<double>(series_.size() + 1));
    for (const TimeSeries& each : series_) name_width_ = std::max(name_width_, text_width(each.name, name_size));
  }

  std::string draw(std::string_view title) && {
    const bool has_ratios = series_.size() > 1;
    const double bottom = top + height_ + below + (has_ratios ? height_of_ratios() + 20 : 0);
    Svg svg(left + plot_width + 44 + name_width_, bottom, plot_style());
    const std::size_t line_end = title.find('\n');
    svg.text({24, 32}, title.substr(0, line_end), "t");
    if (line_end != std::string_view::npos) svg.text({24, 52}, title.substr(line_end + 1), "u");
    if (series_.empty()) {
      svg.text({24, top + 20}, "There is nothing to show.", "u");
      return std::move(svg).str();
    }
    draw_times(svg);
    draw_strip(svg);
    if (has_ratios) draw_ratios(svg);
    return std::move(svg).str();
  }

 private:
  // One of the two coordinate systems.
  struct Panel {
    double top;
    double height;
    double lowest;  // logarithms
    double highest;
    double y(double log_value) const { return top + (highest - log_value) / (highest - lowest) * height; }
  };
  Panel times() const { return {top, height_, low_.y, high_.y}; }
  Panel ratios() const { return {top + height_ + below, height_of_ratios(), 0, log_most_ratio_}; }
  double height_of_ratios() const { return std::max(220.0, label_step * static_cast<double>(series_.size() + 1)); }

  double x(double log_bytes) const {
    return left + (log_bytes - low_.x) / std::max(high_.x - low_.x, 1e-9) * plot_width;
  }
  static std::string index_text(std::size_t i) { return std::to_string(i % kinds_count); }
  bool is_best(std::size_t i) const {
    return std::ranges::any_of(best_, [i](const Best& best) { return best.series == i; });
  }

  void find_range() {
    if (series_.empty()) return;
    low_ = {1e9, 1e9};
    high_ = {-1e9, -1e9};
    for (const TimeSeries& each : series_) {
      for (const TimePoint& point : each.points) {
        low_ = {std::min(low_.x, std::log(point.bytes)), std::min(low_.y, std::log(point.seconds))};
        high_ = {std::max(high_.x, std::log(point.bytes)), std::max(high_.y, std::log(point.seconds))};
      }
    }
    const double air = std::max(0.04 * (high_.y - low_.y), 0.1);
    low_.y -= air;
    high_.y += air;
  }

  void find_best() {
    std::set<double> sizes;
    for (const TimeSeries& each : series_) {
      for (const TimePoint& point : each.points) sizes.insert(std::log(point.bytes));
    }
    static constexpr double tie = 1e-6;  // within this difference, the fastest series of the size before stays so
    for (const double size : sizes) {
      Best best{size, 1e9, best_.empty() ? 0 : best_.back().series};
      if (const auto same = log_time(series_[best.series], size)) best.log_seconds = *same;
      for (std::size_t i = 0; i < series_.size(); ++i) {
        const auto time = log_time(series_[i], size);
        if (time && *time < best.log_seconds - tie) best = {size, *time, i};
      }
      best_.push_back(best);
    }
  }

  // "bcast/circulant" becomes "circulant" if all are of bcast/.
  void drop_common_folder() {
    if (series_.size() < 2) return;
    const std::string folder = series_.front().name.substr(0, series_.front().name.find('/') + 1);
    const auto shares = [&](const TimeSeries& each) { return each.name.starts_with(folder); };
    if (!std::ranges::all_of(series_, shares)) return;
    for (TimeSeries& each : series_) each.name.erase(0, folder.size());
  }

  void find_ratios() {
    for (const TimeSeries& each : series_) {
      std::vector<Point> points;
      for (const Best& best : best_) {
        if (const auto time = log_time(each, best.log_bytes))
          points.push_back({best.log_bytes, *time - best.log_seconds});
      }
      for (const Point& point : points) log_most_ratio_ = std::max(log_most_ratio_, 1.03 * point.y);
      ratios_.push_back(std::move(points));
    }
  }

  void draw_frame(Svg& svg, const Panel& panel, bool names_sizes) const {
    const int first_power = static_cast<int>(std::ceil(low_.x / std::log(2.0) - 1e-9));
    const int last_power = static_cast<int>(std::floor(high_.x / std::log(2.0) + 1e-9));
    const int every = std::max(1, (last_power - first_power) / 12 + 1);
    for (int power = first_power; power <= last_power; power += every) {
      const double at = x(power * std::log(2.0));
      svg.line({at, panel.top}, {at, panel.top + panel.height}, "g");
      if (names_sizes)
        svg.text({at, panel.top + panel.height + strip_height + 22}, bytes_text(std::pow(2.0, power)), "a m");
    }
    svg.rectangle({left, panel.top}, {plot_width, panel.height}, 0, "f");
  }

  static void draw_tick(Svg& svg, const Panel& panel, double log_value, std::string_view text) {
    if (log_value < panel.lowest || log_value > panel.highest) return;
    svg.line({left, panel.y(log_value)}, {left + plot_width, panel.y(log_value)}, "g");
    svg.text({left - 8, panel.y(log_value) + 4}, text, "a e");
  }

  void draw_times(Svg& svg) const {
    const Panel panel = times();
    draw_frame(svg, panel, true);
    const bool few = high_.y - low_.y < 2 * std::log(10.0);
    for (int decade = -10; decade <= 10; ++decade) {
      for (const int factor : {1, 2, 5}) {
        if (factor != 1 && !few) continue;
        const double seconds = factor * std::pow(10.0, decade);
        draw_tick(svg, panel, std::log(seconds), seconds_text(seconds));
      }
    }
    std::vector<Point> envelope;
    for (const Best& best : best_) envelope.push_back({best.log_bytes, best.log_seconds});
    draw_line(svg, panel, envelope, "v");
    for (std::size_t i = 0; i < series_.size(); ++i) {
      std::vector<Point> points;
      for (const TimePoint& point : series_[i].points)
        points.push_back({std::log(point.bytes), std::log(point.seconds)});
      draw_series(svg, panel, points, i);
    }
    draw_names(svg, panel, [this](std::size_t i) { return std::log(series_[i].points.back().seconds); });
  }

  void draw_ratios(Svg& svg) const {
    const Panel panel = ratios();
    svg.text({left, panel.top - 8}, "times the fastest", "u");
    draw_frame(svg, panel, false);
    const bool few = panel.highest < std::log(30.0);
    const bool very_few = panel.highest < std::log(3.0);
    for (const double ratio : {1.0, 1.1, 1.2, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 1e2, 1e3, 1e4, 1e5, 1e6}) {
      const bool is_power = std::abs(std::log10(ratio) - std::round(std::log10(ratio))) < 1e-9;
      const bool is_coarse = ratio >= 1.5;
      if (is_power || (few && is_coarse) || very_few)
        draw_tick(svg, panel, std::log(ratio), "× " + three_digits(ratio));
    }
    for (std::size_t i = 0; i < series_.size(); ++i) draw_series(svg, panel, ratios_[i], i);
    draw_names(svg, panel, [this](std::size_t i) { return ratios_[i].back().y; });
  }

  void draw_line(Svg& svg, const Panel& panel, const std::vector<Point>& points, std::string_view classes) const {
    std::string text;
    for (const Point& point : points) {
      text += (text.empty() ? "" : " ") + number(x(point.x)) + "," + number(panel.y(point.y));
    }
    svg.polyline(text, classes);
  }

  void draw_series(Svg& svg, const Panel& panel, const std::vector<Point>& points, std::size_t i) const {
    static constexpr const char* dashes[] = {"", " i", " h"};
    svg.begin_note(series_[i].name);
    draw_line(svg, panel, points, "y s" + index_text(i) + (is_best(i) ? " z" : "") + dashes[i / kinds_count % 3]);
    svg.end_note();
  }

  template <class LastValue>
  void draw_names(Svg& svg, const Panel& panel, const LastValue& last_value) const {
    std::vector<double> places;
    for (std::size_t i = 0; i < series_.size(); ++i) places.push_back(panel.y(last_value(i)));
    spread(places, label_step, panel.top + 4, panel.top + panel.height - 4);
    for (std::size_t i = 0; i < series_.size(); ++i) {
      const double last = x(std::log(series_[i].points.back().bytes));
      svg.line({last + 2, panel.y(last_value(i))}, {left + plot_width + 22, places[i]}, "j s" + index_text(i));
      svg.text({left + plot_width + 26, places[i] + 4}, series_[i].name,
               "n c" + index_text(i) + (is_best(i) ? " q" : ""));
    }
  }

  // Draws the fastest series at each size, from halfway to the previous size to halfway to the next one.
  void draw_strip(Svg& svg) const {
    const double at = top + height_ + 4;
    for (std::size_t first = 0; first < best_.size();) {
      std::size_t last = first;
      while (last + 1 < best_.size() && best_[last + 1].series == best_[first].series) ++last;
      const double begin = first == 0 ? left : x((best_[first - 1].log_bytes + best_[first].log_bytes) / 2);
      const double end =
          last + 1 == best_.size() ? left + plot_width : x((best_[last].log_bytes + best_[last + 1].log_bytes) / 2);
      const std::size_t series = best_[first].series;
      svg.begin_note(series_[series].name);
      svg.rectangle({begin, at}, {end - begin, strip_height}, 0, "c" + index_text(series));
      if (text_width(series_[series].name, name_size) + 6 <= end - begin) {
        svg.text({(begin + end) / 2, at + 13}, series_[series].name, "n m w");
      }
      svg.end_note();
      first = last + 1;
    }
    svg.text({left - 8, at + 13}, "fastest", "a e");
  }

  std::vector<TimeSeries> series_;
  std::vector<Best> best_;
  std::vector<std::vector<Point>> ratios_;  // logarithms of sizes, and of times as multiples of the fastest
  double log_most_ratio_ = 0.1;
  Point low_;  // logarithms
  Point high_;
  double height_ = least_height;
  double name_width_ = 0;
};

}  // namespace

std::string plot_times(std::string_view title, std::span<const TimeSeries> series) { return Plot(series).draw(title); }

}  // namespace cohort::pictures
