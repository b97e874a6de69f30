// SPDX-License-Identifier: Apache-2.0
// Every collective operation through the public API, over every transport, in barrier mode and without.
#include <gtest/gtest.h>

#include <numeric>
#include <tuple>

#include "tests/support/collective_checks.hpp"
#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

class Collectives : public ::testing::TestWithParam<std::tuple<CollectiveCheck, Kind, Pid, bool>> {};

TEST_P(Collectives, AreRight) {
  const auto& [check, kind, ranks, barrier] = GetParam();
  run_all({kind, ranks, barrier, {}}, check.run);
}

// Where members share hosts, other algorithms are chosen: on four hosts with two each, and on hosts that have not as
// many.
class CollectivesOnHosts : public ::testing::TestWithParam<std::tuple<CollectiveCheck, Kind, std::vector<Pid>, bool>> {
};

TEST_P(CollectivesOnHosts, AreRight) {
  const auto& [check, kind, on_hosts, barrier] = GetParam();
  const Pid ranks = std::accumulate(on_hosts.begin(), on_hosts.end(), 0);
  World world{kind, ranks, barrier, {}};
  world.on_hosts = on_hosts;
  run_all(world, check.run);
}

INSTANTIATE_TEST_SUITE_P(Everywhere, CollectivesOnHosts,
                         ::testing::Combine(::testing::ValuesIn(collective_checks().begin(), collective_checks().end()),
                                            ::testing::ValuesIn(every_kind),
                                            ::testing::Values(std::vector<Pid>{2, 2, 2, 2}, std::vector<Pid>{3, 1, 2}),
                                            ::testing::Bool()),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name) + "_" + to_string(std::get<1>(info.param)) +
                                  (std::get<2>(info.param).size() == 4 ? "_even" : "_uneven") +
                                  (std::get<3>(info.param) ? "_barrier" : "");
                         });

INSTANTIATE_TEST_SUITE_P(Everywhere, Collectives,
                         ::testing::Combine(::testing::ValuesIn(collective_checks().begin(), collective_checks().end()),
                                            ::testing::ValuesIn(every_kind), ::testing::Values(1, 2, 3, 5, 8),
                                            ::testing::Bool()),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name) + "_" + to_string(std::get<1>(info.param)) +
                                  "_p" + std::to_string(std::get<2>(info.param)) +
                                  (std::get<3>(info.param) ? "_barrier" : "");
                         });

}  // namespace
}  // namespace cohort::testing
