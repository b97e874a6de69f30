// SPDX-License-Identifier: Apache-2.0
// The tuning file: the costs of a network and the user's choice of algorithms, as TOML that people can read and change.
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

// Parts that the file does not give stay empty. collectives/network.hpp explains the numbers.
struct GivenTuning {
  std::optional<Network> within_host;
  std::optional<Network> between_hosts;
  std::vector<Choice> choices;
};

// Throws UsageError that names the file, the line and the key.
GivenTuning read_tuning(const std::string& file);
GivenTuning parse_tuning(const std::string& text, const std::string& file);

// Comment lines before each part of the file; an empty text gives none.
struct TuningComments {
  std::string head;
  std::string within_host;
  std::string between_hosts;
};
std::string to_toml(const GivenTuning& tuning, const TuningComments& comments = {});

}  // namespace cohort
