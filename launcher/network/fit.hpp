// From measured times to a network of the linear model.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cohort/types.hpp"
#include "collectives/network.hpp"
#include "collectives/selector/profile.hpp"

namespace cohort {

// One line of what launcher/network/network_probe.hpp writes.
struct Measurement {
  std::string place;  // "within_host"
  std::string what;   // "pair"
  Rank ranks = 0;
  Count bytes = 0;
  double seconds = 0;
  std::string algorithm;  // of an operation; "-" where there is none
};

// Throws std::runtime_error for text that is none.
std::vector<Measurement> parse_measurements(const std::string& text);

// The line intercept + slope x bytes, neither negative, whose errors have the least sum of squares: each relative to
// the larger of point and line, so that a point far below counts no more than one far above.
struct Line {
  double intercept = 0;
  double slope = 0;
};
struct Point {
  double bytes = 0;
  double seconds = 0;
};
Line fit_line(std::span<const Point> points);

// Splits the time of a short round into alpha and latency. `gap_s` is how long a message keeps its sender busy: at
// least as long as its headers take on the wire. beta must be known.
void divide_round(Network& network, double round_s, double gap_s);

// Sets shared_alpha, and raises the latency so that a short round takes at least the profile's `messages_a_hop` times
// that: a rank that has waited must be given a processor first. Call it after divide_round(), which sets the latency.
void share_messages(Network& network, double seconds_a_message, const ChoiceProfile& profile = profiles::measured);

// The burst of a link, in bytes: a round of this many bytes takes `seconds` after a pause, a short round `short_s`. At
// most this many bytes. 0 if the bytes take little time: the difference would be noise.
double burst_of(Count bytes, double seconds, double short_s, double beta);

// From the measurements of one place:
//   pair     a round takes alpha + latency + beta n
//   gap      what of it keeps a rank busy: alpha, the postal model's s; the rest is the latency, its r
//   first    after a pause, less: burst
//   all      where a round of all takes clearly longer than that of a pair, they share something
//   message  how much of it one message takes, of a collective of so many bytes in all; see share_messages
//   combine  gamma
Network fit_network(std::span<const Measurement> measurements);

}  // namespace cohort
