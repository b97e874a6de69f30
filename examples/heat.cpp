// SPDX-License-Identifier: Apache-2.0
// How heat spreads over a plate with hot and cold bodies on it, up to the steady state; drawn as a picture.
//
// The processes form a grid, and each has one tile of the plate. A point's temperature becomes that of its four
// neighbours' mean, over-relaxed; black and red points of a chessboard take turns, so a point needs only the other
// colour, and the result is the same to the last bit for every number of processes (red-black successive
// over-relaxation). Before each turn neighbours exchange the edges of their tiles.
//
// Where no tile is next to this one, nothing arrives, and the temperature outside the plate stays. A tile's columns are
// strided: no buffer holds them on their way. The memory never changes, so the exchanges are prepared once.
#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <numbers>

#include "common/picture.hpp"
#include "common/program.hpp"
#include "common/text_file.hpp"

using cohort::Count;
using examples::Range;
using examples::share_of;

namespace {

constexpr double outside = 0.22;  // the temperature around the plate; the bodies have 0 to 1

// A body of constant temperature: all points nearer than `radius` to the line between two points. Lengths are in
// heights of the plate.
struct Body {
  double x1, y1, x2, y2, radius, temperature;

  bool covers(double x, double y) const {
    const double dx = x2 - x1, dy = y2 - y1;
    const double length2 = dx * dx + dy * dy;
    const double along = length2 > 0 ? std::clamp(((x - x1) * dx + (y - y1) * dy) / length2, 0.0, 1.0) : 0.0;
    const double off_x = x - (x1 + along * dx), off_y = y - (y1 + along * dy);
    return off_x * off_x + off_y * off_y < radius * radius;
  }
};

constexpr std::array bodies{
    Body{0.22, 0.28, 0.22, 0.28, 0.07, 1.00}, Body{0.42, 0.78, 0.62, 0.62, 0.025, 0.85},
    Body{1.28, 0.68, 1.28, 0.68, 0.09, 0.95}, Body{1.05, 0.18, 1.32, 0.26, 0.02, 0.75},
    Body{0.55, 0.35, 0.55, 0.35, 0.05, 0.00}, Body{0.95, 0.45, 0.95, 0.85, 0.018, 0.00},
    Body{0.16, 0.72, 0.16, 0.72, 0.06, 0.05}, Body{0.82, 0.20, 0.82, 0.20, 0.03, 1.00},
};

struct Options {
  int width = 720;
  int height = 480;
  int steps = 20'000;
  double tolerance = 1e-5;
  std::string output = "heat.png";
};

// The grid of processes with the shortest edges between tiles.
cohort::Grid grid_of(const cohort::Group& all, const Options& plate) {
  std::vector<cohort::Rank> best;
  double least = 0;
  for (int rows = 1; rows <= all.size(); ++rows) {
    const int columns = all.size() / rows;
    if (rows * columns != all.size() || rows > plate.height || columns > plate.width) continue;
    const double edges = double{1} * rows * plate.width + double{1} * columns * plate.height;
    if (best.empty() || edges < least) {
      best = {rows, columns};
      least = edges;
    }
  }
  if (best.empty()) throw examples::BadInput("the plate is too small to give each process a tile");
  return all.grid(best);
}

struct Tile {
  Range rows, columns;  // of the plate

  Tile(const Options& plate, const cohort::Grid& grid, cohort::Rank rank)
      : rows(share_of(plate.height, grid.coordinates(rank)[0], grid.sides()[0])),
        columns(share_of(plate.width, grid.coordinates(rank)[1], grid.sides()[1])) {}
  Count size() const { return rows.size() * columns.size(); }
};

class Plate {
 public:
  Plate(const Options& options, const cohort::Grid& grid)
      : tile_(options, grid, grid.rank()),
        width_(tile_.columns.size()),
        height_(tile_.rows.size()),
        points_(static_cast<std::size_t>((width_ + 2) * (height_ + 2)), outside),
        fixed_(points_.size(), false) {
    place_bodies(options);
    prepare_exchanges(grid);
  }

  Plate(const Plate&) = delete;  // the prepared exchanges know where the points are

  // One step: both colours take their turn. Returns the largest change of a point here.
  double relax(double weight) {
    double change = 0;
    for (const int colour : {0, 1}) {
      exchange_edges();
      for (Count y = 1; y <= height_; ++y) {
        for (Count x = 1 + (tile_.rows.begin + tile_.columns.begin + y + 1 + colour) % 2; x <= width_; x += 2) {
          if (fixed_[index(y, x)]) continue;
          const double mean = (at(y - 1, x) + at(y + 1, x) + at(y, x - 1) + at(y, x + 1)) / 4;
          const double step = weight * (mean - at(y, x));
          at(y, x) += step;
          change = std::max(change, std::abs(step));
        }
      }
    }
    return change;
  }

  // The points of this tile without its surroundings, by rows.
  std::vector<double> temperatures() const {
    std::vector<double> inner;
    for (Count y = 1; y <= height_; ++y) {
      const auto row = points_.begin() + static_cast<std::ptrdiff_t>(index(y, 1));
      inner.insert(inner.end(), row, row + width_);
    }
    return inner;
  }

 private:
  // Points 1 ... height, 1 ... width are the tile; around them are the neighbours' edges, or the outside.
  std::size_t index(Count y, Count x) const { return static_cast<std::size_t>(y * (width_ + 2) + x); }
  double& at(Count y, Count x) { return points_[index(y, x)]; }
  std::span<double> row(Count y) { return {&at(y, 1), static_cast<std::size_t>(width_)}; }
  cohort::Strided<double> column(Count x) { return cohort::strided(&at(1, x), height_, 1, width_ + 2); }

  void place_bodies(const Options& options) {
    for (Count y = 1; y <= height_; ++y) {
      for (Count x = 1; x <= width_; ++x) {
        for (const Body& body : bodies) {
          const double scale = options.height;
          if (!body.covers((static_cast<double>(tile_.columns.begin + x) - 0.5) / scale,
                           (static_cast<double>(tile_.rows.begin + y) - 0.5) / scale)) {
            continue;
          }
          at(y, x) = body.temperature;
          fixed_[index(y, x)] = true;
        }
      }
    }
  }

  void prepare_exchanges(const cohort::Grid& grid) {
    const auto above = grid.open_neighbour(0, -1), below = grid.open_neighbour(0, +1);
    const auto left = grid.open_neighbour(1, -1), right = grid.open_neighbour(1, +1);
    exchanges_ = {grid.prepare().exchange(row(1), above, row(height_ + 1), below),
                  grid.prepare().exchange(row(height_), below, row(0), above),
                  grid.prepare().exchange(column(1), left, column(width_ + 1), right),
                  grid.prepare().exchange(column(width_), right, column(0), left)};
  }

  void exchange_edges() {
    std::vector<cohort::Request> on_their_way;
    for (cohort::Persistent& exchange : exchanges_) on_their_way.push_back(exchange.start());
    cohort::wait_all(on_their_way);
  }

  Tile tile_;
  Count width_, height_;
  std::vector<double> points_;
  std::vector<bool> fixed_;
  std::vector<cohort::Persistent> exchanges_;
};

// The whole plate at rank 0, by rows.
std::vector<double> gather(const cohort::Grid& grid, const Options& options, const Plate& plate) {
  std::vector<Count> sizes;
  for (cohort::Rank rank = 0; rank < grid.size(); ++rank) sizes.push_back(Tile(options, grid, rank).size());
  const auto points = static_cast<std::size_t>(options.width) * static_cast<std::size_t>(options.height);
  std::vector<double> by_tiles(grid.rank() == 0 ? points : 0);
  grid.gather(plate.temperatures(), by_tiles, sizes, 0);

  std::vector<double> by_rows(by_tiles.size());
  auto from = by_tiles.begin();
  for (cohort::Rank rank = 0; rank < grid.size() && grid.rank() == 0; ++rank) {
    const Tile tile(options, grid, rank);
    for (Count y = tile.rows.begin; y < tile.rows.end; ++y, from += tile.columns.size()) {
      std::copy_n(from, tile.columns.size(), by_rows.begin() + y * options.width + tile.columns.begin);
    }
  }
  return by_rows;
}

// Colours, and a darker line where the temperature passes a twentieth.
void draw(const Options& options, const std::vector<double>& temperatures) {
  const auto width = static_cast<std::size_t>(options.width);
  const auto level = [&](std::size_t i) { return std::floor(temperatures[i] * 20); };
  std::vector<examples::Colour> pixels;
  for (std::size_t i = 0; i < temperatures.size(); ++i) {
    const bool line = ((i + 1) % width != 0 && level(i) != level(i + 1)) ||
                      (i + width < temperatures.size() && level(i) != level(i + width));
    pixels.push_back(examples::glow(line ? temperatures[i] * 0.8 : temperatures[i]));
  }
  examples::write_png(options.output, options.width, options.height, pixels);
}

void compute(const cohort::Process& self, const Options& options) {
  const cohort::Grid grid = grid_of(self.all(), options);
  Plate plate(options, grid);

  const double weight = 2 / (1 + std::sin(std::numbers::pi / std::min(options.width, options.height)));
  int step = 0;
  double change = 0;
  do {
    const double here = plate.relax(weight);
    if (++step % 10 != 0 && step < options.steps) continue;  // steady or not: asked now and then only
    change = grid.combine(here, cohort::maximum);
    if (change <= options.tolerance) break;
  } while (step < options.steps);

  const std::vector<double> temperatures = gather(grid, options, plate);
  examples::together(self, [&] {
    if (grid.rank() == 0) draw(options, temperatures);
  });
  if (grid.rank() != 0) return;
  double total = 0;
  for (const double temperature : temperatures) total += temperature;
  std::cout << (change > options.tolerance ? "not yet steady" : "steady") << " after " << step
            << " steps (largest change " << std::setprecision(3) << change << "); mean temperature "
            << std::setprecision(12) << total / static_cast<double>(temperatures.size()) << "; picture in "
            << options.output << "\n";
  std::cout << "computed on a grid of " << grid.sides()[0] << " x " << grid.sides()[1] << " processes\n";
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  examples::Arguments arguments("heat", "Computes how heat spreads over a plate, and draws it.");
  arguments.number("--width", options.width, "points", 1, 20'000);
  arguments.number("--height", options.height, "points", 1, 20'000);
  arguments.number("--steps", options.steps, "at most", 1);
  arguments.not_negative("--tolerance", options.tolerance, "steady is when no point changes more in a step");
  arguments.text("--output", options.output, "the picture, a PNG file");
  return examples::run(arguments, argc, argv, [&](const cohort::Process& self) { compute(self, options); });
}
