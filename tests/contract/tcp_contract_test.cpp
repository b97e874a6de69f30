#include "tests/contract/tcp_world.hpp"
#include "tests/contract/transport_suite.hpp"

namespace cohort {
namespace {

INSTANTIATE_TEST_SUITE_P(Tcp, TransportContract, testing::Values(World{"tcp", true, run_over_tcp}));

}  // namespace
}  // namespace cohort
