// SPDX-License-Identifier: Apache-2.0
// The fit: what was computed from a network gives that network again, also from noisy times.
#include "launcher/network/fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace cohort {
namespace {

constexpr double noise = 0.05;

// What the probe would measure of this network among so many ranks, each time a little off.
std::vector<Measurement> measurements_of(const Network& network, Rank ranks, double off = 0) {
  std::vector<Measurement> measurements;
  int sign = 1;
  const auto add = [&](const char* what, Rank members, Count bytes, double seconds) {
    sign = -sign;
    measurements.push_back({"between_hosts", what, members, bytes, seconds * (1 + sign * off), "-"});
  };
  const auto round = [&](Rank members, Count bytes) {
    const auto n = static_cast<double>(bytes);
    return std::max(network.alpha + network.latency + network.beta * n,
                    members > 2 ? members * (network.shared_alpha + network.shared_beta * n) : 0.0);
  };
  const double first_bytes = 16384, late_bytes = std::max(first_bytes - network.burst, 0.0);
  add("first", 2, 16384, network.alpha + network.latency + network.beta * late_bytes);
  for (Count bytes = 8; bytes <= 4 << 20; bytes *= 8) {
    add("pair", 2, bytes, round(2, bytes));
    add("all", ranks, bytes, round(ranks, bytes));
    if (bytes <= 4096) add("message", ranks, bytes, network.shared_alpha);
  }
  add("gap", 3, 8, network.alpha);
  add("combine", 1, 65536, network.gamma * 65536);
  return measurements;
}

void expect_near(const Network& a, const Network& b, double part) {
  EXPECT_NEAR(a.alpha, b.alpha, part * b.alpha);
  EXPECT_NEAR(a.alpha + a.latency, b.alpha + b.latency, part * (b.alpha + b.latency));
  EXPECT_NEAR(a.beta, b.beta, part * b.beta);
  EXPECT_NEAR(a.gamma, b.gamma, part * b.gamma);
  EXPECT_NEAR(a.shared_alpha, b.shared_alpha, part * b.shared_alpha);
  EXPECT_NEAR(a.shared_beta, b.shared_beta, part * b.shared_beta);
  EXPECT_NEAR(a.burst, b.burst, part * 16384);
}

TEST(Fit, FindsTheNetworkAgain) {
  const Network ethernet{20e-6, 83e-9, 0.2e-9, 15e-6, 0, 0};
  const Network oversubscribed{3e-6, 0.2e-9, 0.2e-9, 5e-6, 4e-6, 0.15e-9};
  Network shaped = ethernet;
  shaped.burst = 12000;
  for (const Network& network : {ethernet, oversubscribed, shaped}) {
    expect_near(fit_network(measurements_of(network, 16)), network, 1e-6);
    expect_near(fit_network(measurements_of(network, 16, noise)), network, 3 * noise);
  }
}

TEST(Fit, LatencyIsWhatDoesNotKeepARankBusy) {
  Network network{1e-6, 1e-9, 1e-10, 0, 0, 0};
  std::vector<Measurement> measurements = measurements_of(network, 4);
  for (Measurement& measurement : measurements) {
    if (measurement.what == "gap") measurement.seconds = -1e-6;  // lost in the noise
  }
  const Network fitted = fit_network(measurements);
  EXPECT_GT(fitted.alpha, 0);
  EXPECT_NEAR(fitted.alpha + fitted.latency, 1e-6, 1e-12);
}

TEST(Fit, AHopIsNoShorterThanMessagesOfWhatIsShared) {
  constexpr double s = 4e-6;  // a message of what is shared
  for (const Network& network :
       {Network{3e-6, 0.2e-9, 0.2e-9, 2e-6, s, 0.15e-9}, Network{1e-6, 0.2e-9, 0.2e-9, 2e-6, s, 0.15e-9},
        Network{1e-6, 0.2e-9, 0.2e-9, 8e-6, s, 0.15e-9}}) {
    const Network fitted = fit_network(measurements_of(network, 16));
    EXPECT_NEAR(fitted.alpha, network.alpha, 1e-6 * network.alpha);
    EXPECT_NEAR(fitted.alpha + fitted.latency, std::max(network.alpha + network.latency, 1.4 * s), 1e-6 * s);
  }
}

TEST(Fit, WithoutTheProfileAHopIsWhatWasMeasured) {
  Network network{.alpha = 1e-6, .latency = 2e-6};
  share_messages(network, 4e-6, profiles::plain);
  EXPECT_EQ(network.shared_alpha, 4e-6);
  EXPECT_EQ(network.latency, 2e-6);
  share_messages(network, 4e-6);
  EXPECT_DOUBLE_EQ(network.alpha + network.latency, profiles::measured.messages_a_hop * 4e-6);
}

TEST(Fit, OneOutlierDoesNotHideWhatIsShared) {
  constexpr Network shared{1.1e-6, 0.1e-9, 0.1e-9, 5e-6, 4.7e-6, 0.05e-9};
  for (const std::string what : {"pair", "all"}) {
    std::vector<Measurement> measurements = measurements_of(shared, 4);
    const auto first = std::ranges::find(measurements, what, &Measurement::what);
    first->seconds *= what == "pair" ? 2.5 : 0.4;
    EXPECT_NEAR(fit_network(measurements).shared_alpha, shared.shared_alpha, 1e-6 * shared.shared_alpha) << what;
  }
}

TEST(Fit, ABurstIsOfTheBytesThatWereSentAndOfLinksThatTheyKeepBusy) {
  constexpr double beta = 80e-9, short_s = 50e-6, wire_s = beta * 16384;
  EXPECT_NEAR(burst_of(16384, short_s + wire_s / 4, short_s, beta), 16384 * 0.75, 1e-6);
  EXPECT_EQ(burst_of(16384, short_s / 2, short_s, beta), 16384);
  EXPECT_EQ(burst_of(16384, 2 * (short_s + wire_s), short_s, beta), 0);
  EXPECT_EQ(burst_of(16384, short_s + 0.95 * wire_s, short_s, beta), 0);  // noise
  EXPECT_EQ(burst_of(16384, short_s, wire_s / 2, beta), 0);
  EXPECT_EQ(burst_of(16384, short_s, short_s, 0), 0);
}

TEST(Fit, LinesAreNeverNegative) {
  const std::vector<Point> falling = {{1, 2e-6}, {100, 1e-6}}, steep = {{10, 1e-6}, {100, 20e-6}};
  EXPECT_EQ(fit_line(falling).slope, 0);
  EXPECT_GT(fit_line(falling).intercept, 0);
  EXPECT_EQ(fit_line(steep).intercept, 0);
  EXPECT_GT(fit_line(steep).slope, 0);
  EXPECT_EQ(fit_line({}).intercept, 0);
}

TEST(Fit, ReadsWhatTheProbeWrites) {
  const auto read =
      parse_measurements("within_host\tpair\t2\t4096\t5.1e-06\t-\nbetween_hosts\tbcast\t3\t8\t2e-6\tbcast/chain\n");
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].place, "within_host");
  EXPECT_EQ(read[0].bytes, 4096);
  EXPECT_EQ(read[1].what, "bcast");
  EXPECT_EQ(read[1].algorithm, "bcast/chain");
  EXPECT_EQ(read[1].seconds, 2e-6);
  EXPECT_THROW(parse_measurements("hello\n"), std::runtime_error);
}

}  // namespace
}  // namespace cohort
