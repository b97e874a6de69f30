// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/routed_world.hpp"
#include "tests/contract/transport_suite.hpp"

namespace cohort {
namespace {

INSTANTIATE_TEST_SUITE_P(RoutedInMemory, TransportContract,
                         ::testing::Values(World{"routed_memory", true, run_routed_in_memory}));

INSTANTIATE_TEST_SUITE_P(RoutedOverBoth, TransportContract,
                         ::testing::Values(World{"routed_both", true, run_routed_over_both}));

}  // namespace
}  // namespace cohort
