// SPDX-License-Identifier: Apache-2.0
// The Mandelbrot set as a picture, by a task farm: rank 0 hands out the rows, which take very different times.
#include <algorithm>
#include <cmath>
#include <cohort/farm.hpp>
#include <complex>
#include <iostream>
#include <numeric>

#include "common/picture.hpp"
#include "common/program.hpp"

namespace {

struct Options {
  int width = 900;
  int height = 600;
  int depth = 1000;
  std::string output = "mandelbrot.png";
};

// How many steps each point of a row takes to get away, of at most `depth`.
std::vector<int> steps_of_row(const Options& options, int y) {
  std::vector<int> steps;
  for (int x = 0; x < options.width; ++x) {
    const std::complex<double> c(3.0 * x / options.width - 2.2, 2.0 * y / options.height - 1.0);
    std::complex<double> z;
    int step = 0;
    while (step < options.depth && std::norm(z) <= 4) {
      z = z * z + c;
      ++step;
    }
    steps.push_back(step);
  }
  return steps;
}

void draw(const Options& options, const std::vector<std::vector<int>>& rows) {
  std::vector<examples::Colour> pixels;
  for (const std::vector<int>& row : rows) {
    for (const int steps : row) {
      const double inside = std::log1p(steps) / std::log1p(options.depth);
      pixels.push_back(examples::glow(steps == options.depth ? 0 : inside));
    }
  }
  examples::write_png(options.output, options.width, options.height, pixels);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  examples::Arguments arguments("mandelbrot", "Draws the Mandelbrot set.");
  arguments.number("--width", options.width, "points", 1, 20'000);
  arguments.number("--height", options.height, "points", 1, 20'000);
  arguments.number("--depth", options.depth, "steps, at most", 1);
  arguments.text("--output", options.output, "the picture, a PNG file");

  return examples::run(arguments, argc, argv, [&](const cohort::Process& self) {
    std::vector<int> rows(static_cast<std::size_t>(options.height));
    std::iota(rows.begin(), rows.end(), 0);
    const auto steps = cohort::farm(self.all(), rows, [&](int y) { return steps_of_row(options, y); });
    if (self.pid() != 0) return;
    draw(options, steps);  // also if workers have died
    std::int64_t inside = 0;
    for (const std::vector<int>& row : steps) inside += std::count(row.begin(), row.end(), options.depth);
    std::cout << inside << " of " << std::int64_t{options.width} * options.height
              << " points are in the set; picture in " << options.output << "\n";
  });
}
