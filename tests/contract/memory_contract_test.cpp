#include "runtime/transport/memory/memory_transport.hpp"
#include "tests/contract/transport_suite.hpp"
#include "tests/support/threads.hpp"
namespace cohort {
namespace {

// Ranks as threads that copy frames to one another.
void run_in_memory(int ranks, const std::function<void(Pid me, Transport&)>& rank) {
  std::vector<std::unique_ptr<Transport>> transports = make_memory_transports(ranks);
  cohort::testing::run_in_threads(ranks, [&](Pid me) {
    const std::unique_ptr<Transport> mine = std::move(transports[static_cast<std::size_t>(me)]);
    rank(me, *mine);
  });
}

INSTANTIATE_TEST_SUITE_P(Memory, TransportContract, ::testing::Values(World{"memory", true, run_in_memory}));

}  // namespace
}  // namespace cohort
