// SPDX-License-Identifier: Apache-2.0
// Fits a network of the linear model to measured times.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cohort/types.hpp"
#include "collectives/network.hpp"
#include "collectives/selector/profile.hpp"

namespace cohort {

// One line of the output of launcher/network/network_probe.hpp.
struct Measurement {
  std::string place;  // "within_host"
  std::string what;   // "pair"
  Rank ranks = 0;
  Count bytes = 0;
  double seconds = 0;
  std::string algorithm;  // of an operation; "-" for other measurements
};

// Throws std::runtime_error for other text.
std::vector<Measurement> parse_measurements(const std::string& text);

// The line intercept + slope x bytes, neither negative, with the least sum of squared errors. Each error is relative to
// the larger of point and line, so that a point far below the line counts no more than one far above.
struct Line {
  double intercept = 0;
  double slope = 0;
};
struct Point {
  double bytes = 0;
  double seconds = 0;
};
Line fit_line(std::span<const Point> points);

// Splits the time of a short round into alpha and latency. `gap_s` is the time in which a message keeps its sender
// busy; alpha is at least the time of the message's headers on the wire. network.beta must be set before.
void divide_round(Network& network, double round_s, double gap_s);

// Sets shared_alpha. Raises the latency so that a short round takes at least the profile's `messages_a_hop` times
// shared_alpha, because a rank that waited must first get a processor. Call it after divide_round(), which sets the
// latency.
void share_messages(Network& network, double seconds_a_message, const ChoiceProfile& profile = profiles::measured);

// The burst of a link, in bytes, at most `bytes`. A round of `bytes` takes `seconds` after a pause, a short round
// `short_s`. 0 if the bytes take little time, because the difference would be noise.
double burst_of(Count bytes, double seconds, double short_s, double beta);

// From the measurements of one place:
//   pair     a round takes alpha + latency + beta n
//   gap      the part of a round that keeps a rank busy: alpha, the postal model's s; the rest is the latency, its r
//   first    the same round after a pause; the time that it saves gives the burst
//   all      a round of all ranks; if it takes clearly longer than a pair's, the ranks share a resource
//   message  the time that one message takes of the resource, in a collective of so many bytes; see share_messages
//   combine  gamma
Network fit_network(std::span<const Measurement> measurements);

}  // namespace cohort
