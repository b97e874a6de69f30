// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/shared/shared_transport.hpp"
#include "tests/contract/player.hpp"
#include "tests/contract/tcp_world.hpp"
#include "tests/contract/transport_suite.hpp"

namespace cohort {
namespace {

// Ranks as threads. `processes`: the memory is made for so many, which decides how long its rings are.
auto run_in_shared_memory(std::size_t processes, SharedLimits limits) {
  return [=](int ranks, const std::function<void(Pid me, Transport&)>& rank) {
    const auto memory = HostMemory::make(std::max(processes, static_cast<std::size_t>(ranks)));
    Endpoints endpoints;
    endpoints.processes.clear();
    for (int pid = 0; pid < ranks; ++pid) {
      ProcessAddress& address = endpoints.processes.emplace_back();
      address.memory = 1;
      address.place = static_cast<std::uint32_t>(pid);
    }
    std::vector<std::unique_ptr<Transport>> transports;
    for (endpoints.me = 0; endpoints.me < ranks; ++endpoints.me) {
      transports.push_back(make_shared_transport(endpoints, memory, limits));
    }
    run_each(std::move(transports), rank);
  };
}

constexpr SharedLimits always_direct{.direct_from = 1};
constexpr SharedLimits in_turn{.direct_from = std::size_t{64} << 10, .in_turn = true};

INSTANTIATE_TEST_SUITE_P(Shared, TransportContract,
                         ::testing::Values(World{"shared", true, run_in_shared_memory(2, {})},
                                           World{"in_turn", true, run_in_shared_memory(2, in_turn)},
                                           World{"short_rings", true, run_in_shared_memory(64, {})},
                                           World{"direct", true, run_in_shared_memory(2, always_direct)}));

// Otherwise a process that receives after its send would find the answer before it has a place for it.
TEST(SharedMemory, ASenderHearsThatItsPayloadWasReadARoundBeforeItFindsTheAnswer) {
  constexpr std::size_t answers = 200;
  run_in_shared_memory(2, always_direct)(2, [&](Pid me, Transport& transport) {
    Player player(me, 2, transport);
    bool all_had_left = true;  // before this round
    if (me == 1) {
      player.on_frame = [&](Pid from) {
        if (player.received(from) <= answers) player.send(from, 8);
      };
    } else {
      player.on_frame = [&](Pid) { EXPECT_TRUE(all_had_left); };
    }
    for (std::size_t i = 1; me == 0 && i <= answers; ++i) {
      player.send(1, 100'000);
      while (player.received(1) < i) {
        all_had_left = player.all_sent();
        transport.poll(1);
      }
    }
    all_had_left = true;
    player.until([&] { return player.received(1 - me) >= answers; });
    player.leave();
  });
}

TEST(SharedMemory, LimitsAreMeasured) {
  const SharedLimits alone = measured_limits(/*in_turn=*/false);
  EXPECT_GE(alone.direct_from, std::size_t{4} << 10);
  EXPECT_FALSE(alone.in_turn);
  EXPECT_GE(measured_limits(/*in_turn=*/true).direct_from, std::size_t{64} << 10);
}

}  // namespace
}  // namespace cohort
