// SPDX-License-Identifier: Apache-2.0
// Who chooses the algorithm: the call (Group::by), else the job's user, else the runtime.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>

#include "cohort/detail/calls.hpp"
#include "collectives/registry.hpp"
#include "runtime/calls/planned_call.hpp"
#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

World world_of(Pid ranks, const Tuning& tuning, const std::vector<Pid>& on_hosts = {}) {
  World world;
  world.ranks = ranks;
  world.tuning = tuning;
  world.on_hosts = on_hosts;
  return world;
}

using Values = std::vector<std::int64_t>;

constexpr Count each = 24;  // elements of a rank: blocks for 2, 3, 4 and 6 ranks

// The operation on `all`, through the public API, with sums; returns what it leaves in the output.
Values perform(const Group& all, Operation operation) {
  const auto p = static_cast<std::size_t>(all.size());
  Values in(each * p), out(each * p, -1);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = all.rank() * 1000 + static_cast<std::int64_t>(i);
  const std::span<std::int64_t> my_in(in.data(), each), my_out(out.data(), each);
  switch (operation) {
    case Operation::bcast:
      all.bcast(in, 0);
      return in;
    case Operation::reduce:
      all.reduce(in, out, sum, 0);
      break;
    case Operation::combine:
      all.combine(in, out, sum);
      break;
    case Operation::scatter:
      all.scatter(in, my_out, 0);
      break;
    case Operation::gather:
      all.gather(my_in, out, 0);
      break;
    case Operation::concat:
      all.concat(my_in, out);
      break;
    case Operation::index:
      all.index(in, out);
      break;
    case Operation::reduce_scatter:
      all.reduce_scatter(in, my_out, sum);
      break;
    case Operation::prefix:
      all.prefix(in, out, sum);
      break;
    case Operation::exclusive_prefix:
      all.exclusive_prefix(in, out, sum);
      break;
    case Operation::shift:
      all.shift(in, out, 1);
      break;
    default:
      all.sync();
  }
  return out;
}

// The text of the Error(argument) that this throws, or nothing.
std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::argument);
    return error.what();
  }
  return "";
}

void expect_refusal(const std::function<void()>& call, const std::string& says) {
  const std::string text = refusal(call);
  EXPECT_NE(text.find(says), std::string::npos) << "'" << text << "' does not say '" << says << "'";
}

class ByName : public ::testing::TestWithParam<Pid> {};

TEST_P(ByName, EveryAlgorithmGivesWhatTheRuntimesChoiceGives) {
  run_all({Kind::tcp, GetParam(), true, {}}, [](const Group& all) {
    for (const Algorithm& algorithm : registry()) {
      Values got;
      const std::string refused = refusal([&] { got = perform(all.by(algorithm.name), algorithm.operation); });
      if (algorithm.needs.power_of_two && (all.size() & (all.size() - 1)) != 0) {
        EXPECT_NE(refused.find("it needs a power of two ranks"), std::string::npos) << refused;
      } else {
        ASSERT_EQ(refused, "");
        ASSERT_EQ(got, perform(all, algorithm.operation)) << algorithm.name;
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(OverTcp, ByName, ::testing::Values(1, 4, 5));

TEST(Choices, EveryFormOfACall) {
  run_all({Kind::tcp, 4, true, {}}, [](const Group& all) {
    const Group by_ring = all.by("ring"), by_nothing = all.by("nothing");
    Values x{all.rank(), 1};
    by_ring.start().combine(in_place(x), sum).wait();
    EXPECT_EQ(x, (Values{6, 4}));
    Persistent prepared = by_ring.prepare().combine(in_place(x), sum);
    prepared.start().wait();
    EXPECT_EQ(x, (Values{24, 16}));
    expect_refusal([&] { by_nothing.combine(in_place(x), sum); },
                   "there is no algorithm 'combine/nothing'; there are: combine/");
    expect_refusal([&] { by_nothing.start().combine(in_place(x), sum).wait(); },
                   "there is no algorithm 'combine/nothing'");
    expect_refusal([&] { by_nothing.prepare().combine(in_place(x), sum).start().wait(); },
                   "there is no algorithm 'combine/nothing'");
    EXPECT_EQ(by_nothing.id(), all.id());
    EXPECT_EQ(by_nothing.partition(all.rank() / 2).combine(1, sum), 2);  // a new group chooses for itself
  });
}

TEST(Choices, WhatCannotBeDoneIsRefusedAtEveryRankAndTheGroupGoesOn) {
  run_all({Kind::memory, 6, true, {}}, [](const Group& all) {
    Values x{1};
    const auto refused = [&](const char* algorithm, const char* says) {
      expect_refusal([&] { all.by(algorithm).reduce(in_place(x), ordered(std::plus<std::int64_t>()), 2); }, says);
    };
    refused("circulant", "reduce/circulant: it needs a commutative operator");
    refused("reduce/circulant", "reduce/circulant: it needs a commutative operator");
    refused("combine/ring", "combine/ring is no algorithm for reduce; there are: reduce/");
    refused("binomial:blocks=2", "has no parameter 'blocks'");
    refused("chain:blocks=0", "blocks is 1 to");
    expect_refusal([&] { all.by("mesh_rings:mesh=4x4").combine(in_place(x), sum); },
                   "a mesh of 4x4 does not have 6 ranks");
    EXPECT_EQ(all.by("mesh_rings:mesh=2x3").combine(1, sum), 6);
  });
}

// What a bcast on `group` is done by, if the runtime does not choose.
std::string named(const detail::Handle& handle) {
  Values x{1};
  detail::Call call = detail::in_place_call_of<std::int64_t>(Operation::bcast, detail::memory_of(x), Where::current());
  const detail::Task task = detail::task_of(handle, call);
  const Choice choice{task.algorithm, task.problem.parameters, task.problem.mesh};
  return task.algorithm == nullptr ? "" : cohort::to_string(choice);
}

TEST(Choices, TheNetworkIsThatBetweenTheGroupsHosts) {
  Tuning tuning;
  tuning.within_host.alpha = 1;
  tuning.between_hosts.alpha = 2;
  run_runtimes(world_of(5, tuning, {3, 2}), [](detail::Runtime& runtime) {
    const auto alpha = [&](const std::vector<Pid>& pids) {
      const Members members = Members::list(pids);
      const std::optional<Rank> me = members.rank_of(runtime.job().me);
      if (!me) return 0.0;
      const auto state = std::make_shared<detail::GroupState>(runtime.shared_from_this(), GroupId{}, members, *me, 0);
      detail::Call call = detail::call_of<std::byte>(Operation::sync, {}, {}, Where::current());
      return detail::task_of({state}, call).problem.network.alpha;
    };
    const bool here = runtime.job().me < 3;
    EXPECT_EQ(alpha({2, 0, 1}), here ? 1 : 0);
    EXPECT_EQ(alpha({3, 4}), here ? 0 : 1);
    EXPECT_EQ(alpha({0, 1, 2, 3, 4}), 2);
  });
}

TEST(Choices, TheMeshIsThatOfTheGroupsHosts) {
  run_all(world_of(6, {}, {2, 2, 2}), [](const Group& all) {
    const auto done_by = [](const Group& group, const char* algorithm) {
      EXPECT_EQ(group.by(algorithm).combine(1, sum), group.size());
      return group.latest_algorithm();
    };
    EXPECT_EQ(done_by(all, "mesh_rings"), "combine/mesh_rings:mesh=3x2");
    EXPECT_EQ(done_by(all, "mesh_rings:mesh=2x3"), "combine/mesh_rings:mesh=2x3");
    EXPECT_EQ(done_by(all, "ring"), "combine/ring");
    EXPECT_EQ(done_by(all.partition(all.rank() / 2), "mesh_rings"), "combine/mesh_rings");
    EXPECT_EQ(done_by(all.partition(all.rank() == 5 ? 1 : 0), "mesh_rings"), "combine/mesh_rings");
  });
}

TEST(Choices, GroupsThatShareHostsSendOverTheirLinksOnce) {
  Tuning tuning;
  tuning.within_hosts = {.alpha = 3e-6, .beta = 0.3e-9};
  const auto program = [](bool even) {
    return [even](const Group& all) {
      std::vector<double> x(1 << 16);
      all.combine(in_place(x), sum);
      EXPECT_EQ(all.latest_algorithm() == "combine/mesh_rings:mesh=4x2", even) << all.latest_algorithm();
      std::vector<double> small(64);  // of one element the links carry several as fast as one
      all.combine(in_place(small), sum);
      EXPECT_EQ(all.latest_algorithm() == "combine/leaders:mesh=4x2", even) << all.latest_algorithm();
      std::vector<int> blocks(8 * 16);
      all.concat(std::vector<int>(16), blocks);
      EXPECT_EQ(all.latest_algorithm() == "concat/leaders:mesh=4x2", even) << all.latest_algorithm();
      all.reduce_scatter(blocks, std::vector<int>(16), sum);
      EXPECT_EQ(all.latest_algorithm() == "reduce_scatter/leaders:mesh=4x2", even) << all.latest_algorithm();
    };
  };
  run_all(world_of(8, tuning, {2, 2, 2, 2}), program(true));
  run_all(world_of(8, tuning, {3, 2, 2, 1}), program(false));
  run_all(world_of(8, tuning, {8}), program(false));
}

// Up a binomial tree the last rank's block passes two others. Who has a large one is known to all.
TEST(Choices, OfUnequalBlocksIsMadeByAllSizesAlikeAtAllRanks) {
  run_all({Kind::memory, 8, true, {}}, [](const Group& all) {
    for (Rank largest = 0; largest < all.size(); ++largest) {
      std::vector<Count> counts(8, 100);
      counts[static_cast<std::size_t>(largest)] = 100'000;
      const Values mine(static_cast<std::size_t>(counts[static_cast<std::size_t>(all.rank())]), all.rank());
      Values whole(100'700);
      all.gather(mine, whole, counts, 0);
      const std::string name = all.latest_algorithm();
      EXPECT_FALSE(largest == 7 && name == "gather/binomial");
      if (all.rank() == 0) {
        EXPECT_EQ(whole[static_cast<std::size_t>(largest * 100)], largest);
        EXPECT_EQ(whole.back(), 7);
      }
      const auto hash = static_cast<std::int64_t>(std::hash<std::string>()(name));
      EXPECT_EQ(all.combine(hash, minimum), all.combine(hash, maximum)) << name;
    }
  });
}

TEST(Choices, TheCallCountsMoreThanTheUserAndGroupsAreSetUpAnyway) {
  Tuning tuning;
  tuning.choices = {parse_choice("bcast/two_tree:blocks=7"), parse_choice("concat/recursive_doubling"),
                    parse_choice("combine/mesh_rings:mesh=2x2")};
  run_runtimes(world_of(5, tuning), [](detail::Runtime& runtime) {
    const auto state = std::make_shared<detail::GroupState>(runtime.shared_from_this(), GroupId{},
                                                            Members::range(0, 1, 5), runtime.job().me, 0);
    EXPECT_EQ(named({state}), "bcast/two_tree:blocks=7");
    EXPECT_EQ(named({state, detail::name_algorithm("")}), "bcast/two_tree:blocks=7");
    EXPECT_EQ(named({state, detail::name_algorithm("chain:blocks=3")}), "bcast/chain:blocks=3");
    const Group all(state);
    expect_refusal([&] { all.concat(1); }, "it needs a power of two ranks, not 5 (asked for at launch)");
    expect_refusal([&] { all.combine(1, sum); }, "a mesh of 2x2 does not have 5 ranks (asked for at launch)");
    EXPECT_EQ(all.by("ring").combine(1, sum), 5);
    EXPECT_EQ(all.partition(0).size(), 5);  // by a concat of the runtime's own
  });
  run_runtimes(world_of(2, {}), [](detail::Runtime& runtime) {
    const auto state = std::make_shared<detail::GroupState>(runtime.shared_from_this(), GroupId{},
                                                            Members::range(0, 1, 2), runtime.job().me, 0);
    EXPECT_EQ(named({state}), "");
  });
}

}  // namespace
}  // namespace cohort::testing
