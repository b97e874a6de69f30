// SPDX-License-Identifier: Apache-2.0
// Writes SVG: shapes with classes of one style sheet, on a background of their own, for pages with a dark background.
// The same calls give the same bytes on every machine.
#pragma once

#include <string>
#include <string_view>

namespace cohort::pictures {

struct Point {
  double x = 0;
  double y = 0;
};

// At most one decimal digit; none if it is zero.
std::string number(double value);

class Svg {
 public:
  // `style` is CSS; sizes are in pixels.
  Svg(double width, double height, std::string_view style);

  // Each shape has one class or several, with spaces between, or none.
  void line(Point from, Point to, std::string_view classes);
  void polyline(const std::string& points, std::string_view classes);  // "x,y x,y"
  void rectangle(Point corner, Point size, double rounding, std::string_view classes);
  void circle(Point centre, double radius, std::string_view classes);
  void text(Point base, std::string_view content, std::string_view classes);

  // Shapes until end_note() show the note under the pointer.
  void begin_note(std::string_view note);
  void end_note();

  std::string str() && { return std::move(text_) + "</svg>\n"; }

 private:
  void classes(std::string_view classes);

  std::string text_;
};

}  // namespace cohort::pictures
