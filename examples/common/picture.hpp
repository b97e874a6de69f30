// SPDX-License-Identifier: Apache-2.0
// Writing a picture as a PNG file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace examples {

struct Colour {
  std::uint8_t red, green, blue;
};

// 0 is black, 1 a pale yellow; between them violet, red and orange. Values outside are taken as 0 and 1.
Colour glow(double value);

// Pixels by rows from the top left; as many as width * height. Throws BadInput if the file can't be written.
void write_png(const std::string& path, int width, int height, const std::vector<Colour>& pixels);

}  // namespace examples
