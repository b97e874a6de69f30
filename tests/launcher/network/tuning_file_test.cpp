// SPDX-License-Identifier: Apache-2.0
// The tuning file: what is written is read back, and a mistake is named with its file, line and key.
#include "launcher/network/tuning_file.hpp"

#include <gtest/gtest.h>

#include "launcher/usage_error.hpp"

namespace cohort {
namespace {

void expect_near(const Network& a, const Network& b) {
  for (double Network::*const place : {&Network::alpha, &Network::beta, &Network::gamma, &Network::latency,
                                       &Network::shared_alpha, &Network::shared_beta, &Network::burst}) {
    EXPECT_NEAR(a.*place, b.*place, 1e-5 * b.*place);
  }
}

TEST(TuningFile, RoundTrip) {
  GivenTuning tuning;
  tuning.within_host = Network{3.123456e-6, 0.1e-9, 0.234567e-9, 0, 1.5e-6, 0.2e-9};
  tuning.between_hosts = Network{21e-6, 83.7e-9, 0.2e-9, 12e-6, 0, 0, 12112};
  tuning.choices = {parse_choice("bcast/two_tree:blocks=64"), parse_choice("combine/mesh_rings:mesh=4x4")};
  const std::string text = to_toml(tuning, {"cohort tune\n\non 16 hosts", "", "8 bytes: 30 us\n[nothing]"});
  EXPECT_TRUE(text.starts_with("# cohort tune\n#\n# on 16 hosts\n")) << text;
  const GivenTuning read = parse_tuning(text, "f");
  ASSERT_TRUE(read.within_host && read.between_hosts);
  expect_near(*read.within_host, *tuning.within_host);
  expect_near(*read.between_hosts, *tuning.between_hosts);
  ASSERT_EQ(read.choices.size(), 2u);
  EXPECT_EQ(to_string(read.choices[0]), "bcast/two_tree:blocks=64");
  EXPECT_EQ(to_string(read.choices[1]), "combine/mesh_rings:mesh=4x4");
  EXPECT_EQ(to_toml(parse_tuning(to_toml(read), "f")), to_toml(read));
}

TEST(TuningFile, WhatIsNotSaidIsNotKnown) {
  const GivenTuning read = parse_tuning("[between_hosts]\nalpha_us = 5\nbeta_ns_per_byte = 1.5\n", "f");
  EXPECT_FALSE(read.within_host);
  expect_near(*read.between_hosts, {5e-6, 1.5e-9, Network{}.gamma, 0, 0, 0});
  EXPECT_TRUE(read.choices.empty());
  EXPECT_FALSE(parse_tuning("", "f").between_hosts);
}

TEST(TuningFile, MistakesAreNamed) {
  const auto expect = [](const std::string& text, const std::string& says) {
    try {
      parse_tuning(text, "my.toml");
      ADD_FAILURE() << text;
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
    }
  };
  expect("x = \n", "my.toml:1: ");
  expect("\n[networks]\nalpha_us = 1\n", "my.toml:2: networks: there are [within_host], [between_hosts] and [choices]");
  expect("\nwithin_host = 3\n", "my.toml:2: within_host: ");
  expect("[within_host]\nalpha_us = 1\n", "my.toml:1: [within_host] needs beta_ns_per_byte");
  expect("[within_host]\nalpha = 1\n", "my.toml:2: alpha: there is no such number; there are: alpha_us, ");
  expect("[within_host]\nalpha_us = \"1\"\n", "my.toml:2: alpha_us: a number from 0 is needed");
  expect("[within_host]\nalpha_us = -1\n", "my.toml:2: alpha_us: a number from 0 is needed");
  expect("[within_host]\nalpha_us = nan\n", "my.toml:2: alpha_us: a number from 0 is needed");
  expect("[choices]\n\nbcst = \"chain\"\n", "my.toml:3: bcst: there is no operation 'bcst'");
  expect("[choices]\nbcast = \"chian\"\n", "my.toml:2: bcast: there is no algorithm 'bcast/chian'");
  expect("[choices]\nbcast = \"reduce/chain\"\n", "my.toml:2: bcast: reduce/chain is no algorithm for bcast");
  expect("[choices]\nbcast = 3\n", "my.toml:2: bcast: the name of an algorithm is needed");
}

}  // namespace
}  // namespace cohort
