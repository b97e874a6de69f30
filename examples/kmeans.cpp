// SPDX-License-Identifier: Apache-2.0
// Finds clusters among the rows of a CSV file of numbers, and draws them.
//
// Every process reads its share of the rows. The first centres are rows, each chosen with a probability that grows with
// its squared distance from the centres so far (k-means++; D. Arthur, S. Vassilvitskii, 2007): a prefix over the
// processes' weights says who has the chosen row, and a bcast tells all. Then Lloyd's iterations: everyone assigns its
// rows to the nearest centre, and one `combine` adds up, for all clusters at once, what moves the centres. The columns
// are scaled to their standard deviations, so their units do not matter.
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <random>

#include "common/csv.hpp"
#include "common/program.hpp"
#include "common/scatter_plot.hpp"

using cohort::Count;
using examples::Table;
using examples::together;

namespace {

// The reduction that all of this rests on: element by element over the processes.
std::vector<double> total(const cohort::Group& all, std::vector<double> values) {
  all.combine(cohort::in_place(values), cohort::sum);
  return values;
}

// Mean and standard deviation of every column over all processes.
struct Scale {
  std::vector<double> mean, deviation;

  Scale(const cohort::Group& all, const Table& table, double rows)
      : mean(table.columns, 0.0), deviation(table.columns, 0.0) {
    for (std::size_t i = 0; i < table.values.size(); ++i) mean[i % table.columns] += table.values[i];
    mean = total(all, std::move(mean));
    for (double& value : mean) value /= rows;

    for (std::size_t i = 0; i < table.values.size(); ++i) {
      deviation[i % table.columns] += std::pow(table.values[i] - mean[i % table.columns], 2);
    }
    deviation = total(all, std::move(deviation));
    for (double& value : deviation) value = value > 0 ? std::sqrt(value / rows) : 1.0;
  }

  double shrink(double value, std::size_t column) const { return (value - mean[column]) / deviation[column]; }
  double stretch(double value, std::size_t column) const { return value * deviation[column] + mean[column]; }
};

double distance2(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

struct Nearest {
  std::size_t centre;
  double distance2;
};

Nearest nearest(const Table& centres, std::span<const double> row) {
  Nearest best{0, distance2(centres.row(0), row)};
  for (std::size_t i = 1; i < centres.rows(); ++i) {
    const double distance = distance2(centres.row(i), row);
    if (distance < best.distance2) best = {i, distance};
  }
  return best;
}

// Adds one row of the table, of whichever process, to the centres: row i with a probability that goes with weights[i].
// `chance` is a random number below 1, the same everywhere.
void add_centre(const cohort::Group& all, const Table& table, const std::vector<double>& weights, double chance,
                Table& centres) {
  double mine = 0;
  for (const double weight : weights) mine += weight;
  const double target = chance * all.combine(mine, cohort::sum);
  double before = all.exclusive_prefix(mine, cohort::sum).value_or(0);

  const bool candidate = table.rows() > 0 && before <= target;
  const cohort::Rank owner = all.combine(candidate ? all.rank() : -1, cohort::maximum);
  std::vector<double> chosen(table.columns);
  if (all.rank() == owner) {
    std::size_t row = 0;
    while (row + 1 < weights.size() && (before += weights[row]) <= target) ++row;
    std::ranges::copy(table.row(row), chosen.begin());
  }
  all.bcast(chosen, owner);
  centres.values.insert(centres.values.end(), chosen.begin(), chosen.end());
}

Table first_centres(const cohort::Group& all, const Table& table, std::size_t clusters, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  const auto chance = [&] { return static_cast<double>(generator() >> 11) * 0x1p-53; };
  Table centres{table.columns, {}};
  std::vector<double> weights(table.rows(), 1.0);
  add_centre(all, table, weights, chance(), centres);
  while (centres.rows() < clusters) {
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = nearest(centres, table.row(i)).distance2;
    add_centre(all, table, weights, chance(), centres);
  }
  return centres;
}

struct Clustering {
  Table centres;
  std::vector<std::size_t> cluster_of;  // this process's rows
  std::vector<double> sizes;
  int iterations = 0;
};

// Lloyd's iterations, until no row of any process changes its cluster.
Clustering lloyd(const cohort::Group& all, const Table& table, Table centres, int most) {
  const std::size_t clusters = centres.rows();
  const std::size_t columns = table.columns;
  Clustering result{std::move(centres), std::vector<std::size_t>(table.rows(), clusters), {}, 0};
  while (result.iterations++ < most) {
    Table sums{columns + 1, std::vector<double>(clusters * (columns + 1))};  // the last column counts the rows
    std::size_t changes = 0;
    for (std::size_t i = 0; i < table.rows(); ++i) {
      const std::size_t cluster = nearest(result.centres, table.row(i)).centre;
      changes += cluster != result.cluster_of[i];
      result.cluster_of[i] = cluster;
      for (std::size_t c = 0; c < columns; ++c) sums.row(cluster)[c] += table.row(i)[c];
      sums.row(cluster)[columns] += 1;
    }
    sums.values.push_back(static_cast<double>(changes));
    all.combine(cohort::in_place(sums.values), cohort::sum);

    result.sizes.clear();
    for (std::size_t k = 0; k < clusters; ++k) {
      const double size = result.sizes.emplace_back(sums.row(k)[columns]);
      for (std::size_t c = 0; c < columns && size > 0; ++c) result.centres.row(k)[c] = sums.row(k)[c] / size;
    }
    if (sums.values.back() == 0) break;
  }
  return result;
}

struct Options {
  std::string path, output = "kmeans.svg";
  std::size_t clusters = 3;
  std::vector<std::string> columns;  // those that are drawn
  std::uint64_t seed = 1;
};

// The places of the two columns to draw.
std::pair<std::size_t, std::size_t> drawn_columns(const Options& options, const std::vector<std::string>& names) {
  std::vector<std::size_t> places{0, 1};
  for (std::size_t i = 0; i < options.columns.size(); ++i) {
    const auto found = std::ranges::find(names, options.columns[i]);
    if (found == names.end()) throw examples::BadInput(options.path + ":1: no column '" + options.columns[i] + "'");
    places[i] = static_cast<std::size_t>(found - names.begin());
  }
  return {places[0], places[1]};
}

// All processes' points reach rank 0, which draws them.
void draw(const cohort::Process& self, const Options& options, const std::vector<std::string>& names,
          const Scale& scale, const Table& table, const Clustering& clustering) {
  const cohort::Group all = self.all();
  const auto [x, y] = drawn_columns(options, names);
  std::vector<examples::PlotPoint> mine;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    mine.push_back({scale.stretch(table.row(i)[x], x), scale.stretch(table.row(i)[y], y),
                    static_cast<int>(clustering.cluster_of[i])});
  }

  examples::ScatterPlot plot{options.path, names[x], names[y], {}, {}};
  const std::vector<Count> counts = all.concat(static_cast<Count>(mine.size()));
  if (all.rank() == 0)
    plot.points.resize(static_cast<std::size_t>(std::accumulate(counts.begin(), counts.end(), Count{0})));
  all.gather(mine, plot.points, counts, 0);

  together(self, [&, x = x, y = y] {
    if (all.rank() != 0) return;
    for (std::size_t k = 0; k < options.clusters; ++k) {
      const auto centre = clustering.centres.row(k);
      const std::string size = std::to_string(static_cast<Count>(clustering.sizes[k]));
      plot.centres.push_back({scale.stretch(centre[x], x), scale.stretch(centre[y], y),
                              "cluster " + std::to_string(k + 1) + " (" + size + ")"});
    }
    std::ofstream file(options.output);
    if (!(file << examples::to_svg(plot)).flush()) {
      throw examples::BadInput(options.output + ": can't be written: " + std::strerror(errno));
    }
  });
}

void print(const std::vector<std::string>& names, const Scale& scale, const Clustering& clustering) {
  for (std::size_t k = 0; k < clustering.sizes.size(); ++k) {
    std::cout << "cluster " << k + 1 << ": " << clustering.sizes[k] << " rows around" << std::setprecision(6);
    for (std::size_t c = 0; c < names.size(); ++c) {
      std::cout << ' ' << names[c] << '=' << scale.stretch(clustering.centres.row(k)[c], c);
    }
    std::cout << '\n';
  }
}

void find_clusters(const cohort::Process& self, const Options& options) {
  const cohort::Group all = self.all();
  const auto names = together(self, [&] {
    auto header = examples::read_header(options.path);
    drawn_columns(options, header);
    return header;
  });
  Table table = examples::read_rows(self, options.path, names.size());
  const Count rows = all.combine(static_cast<Count>(table.rows()), cohort::sum);
  if (rows < static_cast<Count>(options.clusters)) {
    throw examples::BadInput(options.path + ": " + std::to_string(rows) + " rows are too few for " +
                             std::to_string(options.clusters) + " clusters");
  }

  const Scale scale(all, table, static_cast<double>(rows));
  for (std::size_t i = 0; i < table.values.size(); ++i) {
    table.values[i] = scale.shrink(table.values[i], i % table.columns);
  }
  Table centres = first_centres(all, table, options.clusters, options.seed);
  const Clustering clustering = lloyd(all, table, std::move(centres), 1'000);
  draw(self, options, names, scale, table, clustering);
  if (all.rank() != 0) return;
  print(names, scale, clustering);
  std::cout << rows << " rows, " << clustering.iterations << " iterations, " << all.size() << " processes; picture in "
            << options.output << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  examples::Arguments arguments("kmeans", "Finds clusters among the rows of a CSV file of numbers, and draws them.");
  arguments.needs("CSV", options.path, "a header, then one row of numbers a line");
  arguments.number("--clusters", options.clusters, "how many", 1, 1'000);
  arguments.two_texts("--columns", options.columns, "X,Y: the columns to draw (all columns count for the clusters)");
  arguments.number("--seed", options.seed, "of the first centres' choice");
  arguments.text("--output", options.output, "the picture, an SVG file");
  return examples::run(arguments, argc, argv, [&](const cohort::Process& self) { find_clusters(self, options); });
}
