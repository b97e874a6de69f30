// SPDX-License-Identifier: Apache-2.0
// PNG by libpng's simplified interface.
#include "picture.hpp"

#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "program.hpp"

namespace examples {

Colour glow(double value) {
  // Lightness grows evenly from the first to the last, so that equal steps of the value look equal.
  static constexpr std::array<Colour, 9> anchors{{{0, 0, 4},
                                                  {31, 12, 72},
                                                  {85, 15, 109},
                                                  {136, 34, 106},
                                                  {186, 54, 85},
                                                  {227, 89, 51},
                                                  {249, 140, 10},
                                                  {249, 201, 50},
                                                  {252, 255, 164}}};
  const double position = std::clamp(value, 0.0, 1.0) * (anchors.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(position), anchors.size() - 2);
  const double part = position - static_cast<double>(below);
  const auto mix = [&](std::uint8_t Colour::*channel) {
    return static_cast<std::uint8_t>(
        std::lround((1 - part) * anchors[below].*channel + part * anchors[below + 1].*channel));
  };
  return {mix(&Colour::red), mix(&Colour::green), mix(&Colour::blue)};
}

void write_png(const std::string& path, int width, int height, const std::vector<Colour>& pixels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = PNG_FORMAT_RGB;
  if (!png_image_write_to_file(&image, path.c_str(), 0, pixels.data(), 0, nullptr)) {
    throw BadInput(path + ": can't be written: " + image.message);
  }
}

}  // namespace examples
