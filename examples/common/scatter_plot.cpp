// SPDX-License-Identifier: Apache-2.0
// SVG by hand: a frame with round numbers at the axes, dots, centres and a legend.
#include "scatter_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace examples {

namespace {

constexpr double left = 72, top = 48, plot_width = 760, plot_height = 480, legend_width = 176;

std::string colour_of(std::size_t cluster) {
  static constexpr std::array palette{"#3366cc", "#e4572e", "#2a9d5c", "#8e44ad", "#f2a900",
                                      "#17a2b8", "#d6336c", "#7a5230", "#6b8e23", "#5c677d"};
  if (cluster < palette.size()) return palette[cluster];
  return "hsl(" + std::to_string(cluster * 137 % 360) + ",60%,45%)";  // the golden angle: all far apart
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '<')
      result += "&lt;";
    else if (c == '&')
      result += "&amp;";
    else
      result += c;
  }
  return result;
}

// One axis: from values to pixels, and where the round numbers are.
struct Axis {
  double low = 0, high = 1, step = 1;

  void fit(double least, double most) {
    const double span = most > least ? most - least : 1.0;
    const double rough = span / 8;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    step = power;
    for (const double factor : {2.0, 5.0, 10.0}) {
      if (step < rough) step = factor * power;
    }
    low = least - span * 0.03;
    high = most + span * 0.03;
  }
  double part(double value) const { return (value - low) / (high - low); }
  std::vector<double> marks() const {
    std::vector<double> values;
    for (double i = std::ceil(low / step); i * step <= high; ++i) values.push_back(i * step + 0.0);
    return values;
  }
};

class Drawing {
 public:
  explicit Drawing(const ScatterPlot& plot) : plot_(plot) {
    const auto [x_least, x_most] = std::ranges::minmax(plot.points, {}, &PlotPoint::x);
    const auto [y_least, y_most] = std::ranges::minmax(plot.points, {}, &PlotPoint::y);
    x_axis_.fit(x_least.x, x_most.x);
    y_axis_.fit(y_least.y, y_most.y);
  }

  std::string svg() {
    const double width = left + plot_width + legend_width, height = top + plot_height + 64;
    out_ << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << width << ' ' << height << "\" width=\""
         << width << "\" height=\"" << height << "\" font-family=\"sans-serif\" font-size=\"13\" fill=\"#333\">\n"
         << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
    text(left, top - 18, plot_.title, "font-size=\"17\" font-weight=\"bold\"");
    axes();
    dots();
    legend();
    out_ << "</svg>\n";
    return out_.str();
  }

 private:
  double pixel_x(double x) const { return left + x_axis_.part(x) * plot_width; }
  double pixel_y(double y) const { return top + (1 - y_axis_.part(y)) * plot_height; }

  void text(double x, double y, const std::string& words, const std::string& attributes) {
    out_ << "<text x=\"" << x << "\" y=\"" << y << "\" " << attributes << '>' << escaped(words) << "</text>\n";
  }
  void line(double x1, double y1, double x2, double y2) {
    out_ << "<path d=\"M" << x1 << ' ' << y1 << 'L' << x2 << ' ' << y2 << "\" stroke=\"#e3e6ea\"/>\n";
  }
  static std::string number(double value) {
    std::ostringstream words;
    words << std::setprecision(6) << value;
    return words.str();
  }

  void axes() {
    const double bottom = top + plot_height, right = left + plot_width;
    for (const double mark : x_axis_.marks()) {
      line(pixel_x(mark), top, pixel_x(mark), bottom);
      text(pixel_x(mark), bottom + 18, number(mark), "text-anchor=\"middle\"");
    }
    for (const double mark : y_axis_.marks()) {
      line(left, pixel_y(mark), right, pixel_y(mark));
      text(left - 8, pixel_y(mark) + 4, number(mark), "text-anchor=\"end\"");
    }
    out_ << "<rect x=\"" << left << "\" y=\"" << top << "\" width=\"" << plot_width << "\" height=\"" << plot_height
         << "\" fill=\"none\" stroke=\"#888\"/>\n";
    text(left + plot_width / 2, bottom + 44, plot_.x_name, "text-anchor=\"middle\"");
    const double middle = top + plot_height / 2;
    text(18, middle, plot_.y_name, "text-anchor=\"middle\" transform=\"rotate(-90 18 " + number(middle) + ")\"");
  }

  void dots() {
    for (const PlotPoint& point : plot_.points) {
      out_ << "<circle cx=\"" << pixel_x(point.x) << "\" cy=\"" << pixel_y(point.y) << "\" r=\"3.5\" fill=\""
           << colour_of(static_cast<std::size_t>(point.cluster)) << "\" fill-opacity=\"0.7\"/>\n";
    }
    for (std::size_t i = 0; i < plot_.centres.size(); ++i) {
      const double x = pixel_x(plot_.centres[i].x), y = pixel_y(plot_.centres[i].y);
      out_ << "<circle cx=\"" << x << "\" cy=\"" << y << "\" r=\"8\" fill=\"" << colour_of(i)
           << "\" stroke=\"white\" stroke-width=\"2.5\"/>\n<path d=\"M" << x - 4 << ' ' << y << "h8M" << x << ' '
           << y - 4 << "v8\" stroke=\"white\" stroke-width=\"2\"/>\n";
    }
  }

  void legend() {
    const double x = left + plot_width + 24;
    for (std::size_t i = 0; i < plot_.centres.size(); ++i) {
      const double y = top + 14 + 22 * static_cast<double>(i);
      out_ << "<circle cx=\"" << x << "\" cy=\"" << y << "\" r=\"6\" fill=\"" << colour_of(i) << "\"/>\n";
      text(x + 14, y + 4, plot_.centres[i].name, "");
    }
  }

  const ScatterPlot& plot_;
  Axis x_axis_, y_axis_;
  std::ostringstream out_;
};

}  // namespace

std::string to_svg(const ScatterPlot& plot) { return Drawing(plot).svg(); }

}  // namespace examples
