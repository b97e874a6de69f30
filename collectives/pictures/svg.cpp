// SPDX-License-Identifier: Apache-2.0
#include "collectives/pictures/svg.hpp"

#include <cmath>
#include <cstdint>

namespace cohort::pictures {
namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    switch (letter) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      default:
        result += letter;
    }
  }
  return result;
}

std::string attribute(std::string_view name, double value) {
  return " " + std::string(name) + "=\"" + number(value) + "\"";
}

}  // namespace

std::string number(double value) {
  // Numbers in the middle between two tenths are common, and the last bit of a product differs between machines. A
  // small offset makes all machines round them alike.
  const auto tenths = static_cast<std::int64_t>(std::floor(value * 10 + 0.5 + 1e-4));
  const std::int64_t magnitude = std::abs(tenths);
  std::string text = (tenths < 0 ? "-" : "") + std::to_string(magnitude / 10);
  if (magnitude % 10 != 0) text += "." + std::to_string(magnitude % 10);
  return text;
}

Svg::Svg(double width, double height, std::string_view style) {
  text_ = "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width) + attribute("height", height) +
          " viewBox=\"0 0 " + number(width) + " " + number(height) + "\">\n<style>\n" + std::string(style) +
          "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
}

void Svg::classes(std::string_view classes) {
  if (!classes.empty()) text_ += " class=\"" + std::string(classes) + "\"";
}

void Svg::line(Point from, Point to, std::string_view classes) {
  text_ += "<path";
  this->classes(classes);
  text_ += " d=\"M" + number(from.x) + " " + number(from.y) + "L" + number(to.x) + " " + number(to.y) + "\"/>\n";
}

void Svg::polyline(const std::string& points, std::string_view classes) {
  text_ += "<polyline";
  this->classes(classes);
  text_ += " points=\"" + points + "\"/>\n";
}

void Svg::rectangle(Point corner, Point size, double rounding, std::string_view classes) {
  text_ += "<rect";
  this->classes(classes);
  text_ += attribute("x", corner.x) + attribute("y", corner.y) + attribute("width", size.x) +
           attribute("height", size.y) + (rounding > 0 ? attribute("rx", rounding) : "") + "/>\n";
}

void Svg::circle(Point centre, double radius, std::string_view classes) {
  text_ += "<circle";
  this->classes(classes);
  text_ += attribute("cx", centre.x) + attribute("cy", centre.y) + attribute("r", radius) + "/>\n";
}

void Svg::text(Point base, std::string_view content, std::string_view classes) {
  text_ += "<text";
  this->classes(classes);
  text_ += attribute("x", base.x) + attribute("y", base.y) + ">" + escaped(content) + "</text>\n";
}

void Svg::begin_note(std::string_view note) { text_ += "<g><title>" + escaped(note) + "</title>\n"; }

void Svg::end_note() { text_ += "</g>\n"; }

}  // namespace cohort::pictures
