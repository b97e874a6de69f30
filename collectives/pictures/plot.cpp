#include "collectives/pictures/plot.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "collectives/pictures/palette.hpp"
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

std::string style() {
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

// The time at this size, with straight lines between the points' logarithms; nothing where the series does not reach.
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

// Pushes names apart until they are `label_step` from each other, near where they should be.
void spread(std::vector<double>& wanted, double lowest, double highest) {
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
  // Names that touch form a stack, which stands where its names wish to be on average.
  struct Stack {
    double sum;  // of wishes, each less its place in the stack
    double size;
    double first(double lowest, double highest) const {
      return std::clamp(sum / size, lowest, std::max(lowest, highest - (size - 1) * label_step));
    }
  };
  std::vector<Stack> stacks;
  for (const std::size_t index : order) {
    stacks.push_back({wanted[index], 1});
    while (stacks.size() > 1) {
      const Stack last = stacks.back();
      Stack& before = stacks[stacks.size() - 2];
      if (before.first(lowest, highest) + before.size * label_step <= last.first(lowest, highest)) break;
      before.sum += last.sum - last.size * before.size * label_step;
      before.size += last.size;
      stacks.pop_back();
    }
  }
  std::size_t next = 0;
  for (const Stack& stack : stacks) {
    const double first = stack.first(lowest, highest);
    for (int i = 0; i < static_cast<int>(stack.size); ++i) wanted[order[next++]] = first + i * label_step;
  }
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
    find_range();
    find_best();
    height_ = std::max(least_height, label_step * static_cast<double>(series_.size() + 1));
    for (const TimeSeries& each : series_) name_width_ = std::max(name_width_, text_width(each.name, name_size));
  }

  std::string draw(std::string_view title) && {
    const double bottom = top + height_;
    Svg svg(left + plot_width + 44 + name_width_, bottom + 76, style());
    const std::size_t line_end = title.find('\n');
    svg.text({24, 32}, title.substr(0, line_end), "t");
    if (line_end != std::string_view::npos) svg.text({24, 52}, title.substr(line_end + 1), "u");
    if (series_.empty()) {
      svg.text({24, top + 20}, "There is nothing to show.", "u");
      return std::move(svg).str();
    }
    draw_axes(svg);
    std::string band;
    for (const Best& best : best_) band += point_text(best.log_bytes, best.log_seconds);
    svg.polyline(band, "v");
    for (std::size_t i = 0; i < series_.size(); ++i) draw_series(svg, i);
    draw_names(svg);
    draw_strip(svg);
    return std::move(svg).str();
  }

 private:
  double x(double log_bytes) const {
    return left + (log_bytes - low_.x) / std::max(high_.x - low_.x, 1e-9) * plot_width;
  }
  double y(double log_seconds) const { return top + (high_.y - log_seconds) / (high_.y - low_.y) * height_; }
  std::string point_text(double log_bytes, double log_seconds) const {
    return number(x(log_bytes)) + "," + number(y(log_seconds)) + " ";
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
    static constexpr double tie = 1e-6;  // of two that are as fast, the one that was
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

  void draw_axes(Svg& svg) const {
    const double bottom = top + height_;
    const int first_power = static_cast<int>(std::ceil(low_.x / std::log(2.0) - 1e-9));
    const int last_power = static_cast<int>(std::floor(high_.x / std::log(2.0) + 1e-9));
    const int every = std::max(1, (last_power - first_power) / 12 + 1);
    for (int power = first_power; power <= last_power; power += every) {
      const double at = x(power * std::log(2.0));
      svg.line({at, top}, {at, bottom}, "g");
      svg.text({at, bottom + 40}, bytes_text(std::pow(2.0, power)), "a m");
    }
    const int first_decade = static_cast<int>(std::floor(low_.y / std::log(10.0)));
    const int last_decade = static_cast<int>(std::ceil(high_.y / std::log(10.0)));
    const bool few = high_.y - low_.y < 2 * std::log(10.0);
    for (int decade = first_decade; decade <= last_decade; ++decade) {
      for (const int factor : {1, 2, 5}) {
        if (factor != 1 && !few) continue;
        const double seconds = factor * std::pow(10.0, decade);
        if (std::log(seconds) < low_.y || std::log(seconds) > high_.y) continue;
        svg.line({left, y(std::log(seconds))}, {left + plot_width, y(std::log(seconds))}, "g");
        svg.text({left - 8, y(std::log(seconds)) + 4}, seconds_text(seconds), "a e");
      }
    }
    svg.rectangle({left, top}, {plot_width, height_}, 0, "f");
  }

  void draw_series(Svg& svg, std::size_t i) const {
    std::string points;
    for (const TimePoint& point : series_[i].points) {
      points += point_text(std::log(point.bytes), std::log(point.seconds));
    }
    static constexpr const char* dashes[] = {"", " i", " h"};
    svg.begin_note(series_[i].name);
    svg.polyline(points, "y s" + index_text(i) + (is_best(i) ? " z" : "") + dashes[i / kinds_count % 3]);
    svg.end_note();
  }

  void draw_names(Svg& svg) const {
    std::vector<double> places;
    for (const TimeSeries& each : series_) places.push_back(y(std::log(each.points.back().seconds)));
    spread(places, top + 4, top + height_ - 4);
    for (std::size_t i = 0; i < series_.size(); ++i) {
      const TimePoint& last = series_[i].points.back();
      svg.line({x(std::log(last.bytes)) + 2, y(std::log(last.seconds))}, {left + plot_width + 22, places[i]},
               "j s" + index_text(i));
      svg.text({left + plot_width + 26, places[i] + 4}, series_[i].name,
               "n c" + index_text(i) + (is_best(i) ? " q" : ""));
    }
  }

  // From halfway to the size before to halfway to the next one, the fastest.
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
  Point low_;  // logarithms
  Point high_;
  double height_ = least_height;
  double name_width_ = 0;
};

}  // namespace

std::string plot_times(std::string_view title, std::span<const TimeSeries> series) { return Plot(series).draw(title); }

}  // namespace cohort::pictures
