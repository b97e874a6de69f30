// SPDX-License-Identifier: Apache-2.0
#include "launcher/network/fit.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "runtime/transport/tcp/headers.hpp"

namespace cohort {

namespace {

constexpr double clearly_longer = 1.3;
std::vector<Point> points_of(std::span<const Measurement> measurements, const std::string& what) {
  std::vector<Point> points;
  for (const Measurement& measurement : measurements) {
    if (measurement.what == what) points.push_back({static_cast<double>(measurement.bytes), measurement.seconds});
  }
  return points;
}

// Decides whether the ranks share a resource (a link, a core). For messages, the lines through all measurements decide,
// because a single short one may be an outlier. A collective with many messages gives the time that one message takes
// of the resource.
void fit_shared(Network& network, const std::vector<Point>& pair, const std::vector<Point>& all,
                const std::vector<Point>& message, Rank ranks) {
  if (pair.empty() || all.empty()) return;
  const std::size_t last = std::min(pair.size(), all.size()) - 1;
  const Line of_all = fit_line(all);
  const bool messages = of_all.intercept > clearly_longer * fit_line(pair).intercept;
  const bool bytes = all[last].seconds > clearly_longer * pair[last].seconds;
  if (messages) share_messages(network, fit_line(message).intercept);
  if (bytes) network.shared_beta = of_all.slope / ranks;
}

}  // namespace

std::vector<Measurement> parse_measurements(const std::string& text) {
  std::vector<Measurement> measurements;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    Measurement measurement;
    std::istringstream words(line);
    if (!(words >> measurement.place >> measurement.what >> measurement.ranks >> measurement.bytes >>
          measurement.seconds >> measurement.algorithm)) {
      throw std::runtime_error("'" + line + "' is no measurement");
    }
    measurements.push_back(std::move(measurement));
  }
  return measurements;
}

namespace {

// Weighted least squares: solves the normal equations of sum w (a + b x - y)^2. The weights w come from the line of the
// previous step.
Line refined(std::span<const Point> points, const Line& before) {
  double w = 0, wx = 0, wxx = 0, wy = 0, wxy = 0;
  for (const Point& point : points) {
    const double scale = std::max(point.seconds, before.intercept + before.slope * point.bytes);
    const double weight = 1 / (scale * scale);
    w += weight;
    wx += weight * point.bytes;
    wxx += weight * point.bytes * point.bytes;
    wy += weight * point.seconds;
    wxy += weight * point.bytes * point.seconds;
  }
  const double determinant = w * wxx - wx * wx;
  const Line line =
      determinant > 0 ? Line{(wy * wxx - wxy * wx) / determinant, (w * wxy - wx * wy) / determinant} : Line{wy / w, 0};
  if (line.slope < 0) return {wy / w, 0};
  if (line.intercept < 0) return {0, wxy / wxx};
  return line;
}

}  // namespace

Line fit_line(std::span<const Point> points) {
  constexpr int steps = 50;
  Line line;
  for (int step = 0; step < steps && !points.empty(); ++step) line = refined(points, line);
  return line;
}

void divide_round(Network& network, double round_s, double gap_s) {
  constexpr double least_gap = 0.05;  // a share of a round; a smaller gap is noise
  // The headers of Ethernet, IP, TCP and the frame. A traffic shaper with a burst hides their time from a measurement.
  constexpr double header_bytes = 38 + 20 + 32 + HeaderWriter::usual_size;
  network.alpha = std::max(std::clamp(gap_s, least_gap * round_s, round_s), header_bytes * network.beta);
  network.latency = std::max(round_s - network.alpha, 0.0);
}

void share_messages(Network& network, double seconds_a_message, const ChoiceProfile& profile) {
  network.shared_alpha = seconds_a_message;
  network.latency = std::max(network.latency, profile.messages_a_hop * seconds_a_message - network.alpha);
}

double burst_of(Count bytes, double seconds, double short_s, double beta) {
  constexpr double much_longer = 3;
  constexpr double least = 0.1;  // a share of the train; a smaller burst is noise
  const auto n = static_cast<double>(bytes);
  if (beta * n <= much_longer * short_s) return 0;
  const double burst = n - (seconds - short_s) / beta;
  return burst < least * n ? 0 : std::min(burst, n);
}

Network fit_network(std::span<const Measurement> measurements) {
  Network network;
  const std::vector<Point> pair = points_of(measurements, "pair"), all = points_of(measurements, "all"),
                           message = points_of(measurements, "message");
  const Line round = fit_line(pair);
  network.alpha = round.intercept;
  network.beta = round.slope;
  for (const Point& gap : points_of(measurements, "gap")) divide_round(network, round.intercept, gap.seconds);
  for (const Point& first : points_of(measurements, "first")) {
    network.burst = burst_of(static_cast<Count>(first.bytes), first.seconds, round.intercept, network.beta);
  }
  for (const Point& combining : points_of(measurements, "combine")) network.gamma = combining.seconds / combining.bytes;
  for (const Measurement& measurement : measurements) {
    if (measurement.what == "all") return fit_shared(network, pair, all, message, measurement.ranks), network;
  }
  return network;
}

}  // namespace cohort
