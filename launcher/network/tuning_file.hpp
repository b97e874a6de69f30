// The tuning file: what a network costs, and which algorithms are wanted, as TOML that people can read and change.
//
//   [between_hosts]                        [choices]
//   alpha_us = 21.5                        bcast = "two_tree:blocks=64"
//   beta_ns_per_byte = 83.7
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collectives/tuning.hpp"

namespace cohort {

// What is not said is not known. collectives/network.hpp says what the numbers mean.
struct GivenTuning {
  std::optional<Network> within_host;
  std::optional<Network> between_hosts;
  std::vector<Choice> choices;
};

// Throws UsageError that names the file, the line and the key.
GivenTuning read_tuning(const std::string& file);
GivenTuning parse_tuning(const std::string& text, const std::string& file);

// Lines that stand before a part of the file as comments; none: an empty text.
struct TuningComments {
  std::string head;
  std::string within_host;
  std::string between_hosts;
};
std::string to_toml(const GivenTuning& tuning, const TuningComments& comments = {});

}  // namespace cohort
