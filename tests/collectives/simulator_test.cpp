// SPDX-License-Identifier: Apache-2.0
// The simulation, against times found by hand and against the closed forms.
#include "collectives/simulator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "collectives/simulator/lockstep.hpp"
#include "collectives/verifier.hpp"
#include "collectives/verifier/cases.hpp"
#include "tests/collectives/highest_ranks.hpp"

namespace cohort {
namespace {

// Numbers whose sum shows which of them are in it.
constexpr Network simple{.alpha = 1000, .beta = 10, .gamma = 0.1, .latency = 0};

Segment output(Count count) { return {Buffer::output, 0, count}; }

Algorithm made_of(Schedule (*schedule)(const Problem&, Rank)) {
  Algorithm algorithm{"test/made", Operation::bcast, {}, schedule, nullptr, "", ""};
  algorithm.traits.multi_ported = true;
  return algorithm;
}

Problem problem_of(Rank ranks, Count count, const Network& network = simple) {
  Problem problem;
  problem.operation = Operation::bcast;
  problem.ranks = ranks;
  problem.count = count;
  problem.network = network;
  return problem;
}

double seconds_of(const Algorithm& algorithm, const Problem& problem, Ports ports = Ports::duplex) {
  return simulate(algorithm, problem, ports).seconds;
}

Schedule one_message(const Problem& problem, Rank me) {
  Schedule schedule;
  Round& round = schedule.add_round();
  if (me == 0) round.send(1, output(problem.count));
  if (me == 1) round.receive(0, output(problem.count));
  return schedule;
}

TEST(Simulation, OfOneMessage) {
  const Algorithm algorithm = made_of(one_message);
  Problem problem = problem_of(2, 3);
  EXPECT_DOUBLE_EQ(seconds_of(algorithm, problem), 1030);
  EXPECT_DOUBLE_EQ(seconds_of(algorithm, problem, Ports::simplex), 1030);
  problem.network.latency = 500;
  EXPECT_DOUBLE_EQ(seconds_of(algorithm, problem), 1530);
  EXPECT_DOUBLE_EQ(seconds_of(algorithm, problem, Ports::simplex), 1530);
  problem.element_bytes = 8;
  EXPECT_DOUBLE_EQ(seconds_of(algorithm, problem), 1740);
  const Simulation simulation = simulate(algorithm, problem, Ports::duplex);
  EXPECT_EQ(simulation.cost, (Cost{1, 3, 3, 0, 1}));
}

TEST(Simulation, OfNothing) {
  const Algorithm algorithm = made_of([](const Problem&, Rank) { return Schedule(); });
  EXPECT_EQ(seconds_of(algorithm, problem_of(1, 3)), 0);
  EXPECT_EQ(simulate(algorithm, problem_of(5, 3), Ports::simplex).cost, Cost{});
}

// From rank to rank: each waits for the message before it sends it on.
TEST(Simulation, OfAChain) {
  const Algorithm algorithm = made_of([](const Problem& problem, Rank me) {
    Schedule schedule;
    for (Rank hop = 0; hop + 1 < problem.ranks; ++hop) {
      Round& round = schedule.add_round();
      if (me == hop) round.send(me + 1, output(problem.count));
      if (me == hop + 1) round.receive(me - 1, output(problem.count));
    }
    return schedule;
  });
  Problem problem = problem_of(5, 2);
  problem.network.latency = 7;
  EXPECT_DOUBLE_EQ(seconds_of(algorithm, problem), 4 * 1027);
  EXPECT_DOUBLE_EQ(seconds_of(algorithm, problem, Ports::simplex), 4 * 1027);
}

// Two ranks exchange: at once if ports are duplex, else one after the other.
TEST(Simulation, OfBothDirections) {
  const Algorithm algorithm = made_of([](const Problem& problem, Rank me) {
    Schedule schedule;
    Round& round = schedule.add_round();
    round.send(1 - me, output(problem.count));
    round.receive(1 - me, output(problem.count));
    return schedule;
  });
  EXPECT_DOUBLE_EQ(seconds_of(algorithm, problem_of(2, 4)), 1040);
  EXPECT_DOUBLE_EQ(seconds_of(algorithm, problem_of(2, 4), Ports::simplex), 2080);
}

// Around a ring of simplex ports only every second message is on its way at a time: an odd ring takes three steps.
TEST(Simulation, OfASimplexRing) {
  const Algorithm algorithm = made_of([](const Problem& problem, Rank me) {
    Schedule schedule;
    Round& round = schedule.add_round();
    round.send((me + 1) % problem.ranks, output(problem.count));
    round.receive((me + problem.ranks - 1) % problem.ranks, output(problem.count));
    return schedule;
  });
  EXPECT_DOUBLE_EQ(seconds_of(algorithm, problem_of(6, 1)), 1010);
  EXPECT_DOUBLE_EQ(seconds_of(algorithm, problem_of(6, 1), Ports::simplex), 2020);
  EXPECT_DOUBLE_EQ(seconds_of(algorithm, problem_of(7, 1), Ports::simplex), 3030);
}

// The messages of a round leave one after the other, and a port receives one at a time.
TEST(Simulation, OfSeveralMessagesInARound) {
  const Algorithm from_one = made_of([](const Problem& problem, Rank me) {
    Schedule schedule;
    Round& round = schedule.add_round();
    for (Rank to = 1; me == 0 && to < problem.ranks; ++to) round.send(to, output(problem.count));
    if (me != 0) round.receive(0, output(problem.count));
    return schedule;
  });
  const Algorithm to_one = made_of([](const Problem& problem, Rank me) {
    Schedule schedule;
    Round& round = schedule.add_round();
    for (Rank from = 1; me == 0 && from < problem.ranks; ++from) round.receive(from, output(problem.count));
    if (me != 0) round.send(0, output(problem.count));
    return schedule;
  });
  Problem problem = problem_of(4, 1);
  for (const Ports ports : {Ports::duplex, Ports::simplex}) {
    EXPECT_DOUBLE_EQ(seconds_of(from_one, problem, ports), 3030);
    EXPECT_DOUBLE_EQ(seconds_of(to_one, problem, ports), 3030);
  }
  EXPECT_EQ(simulate(from_one, problem, Ports::duplex).cost, (Cost{1, 3, 3, 0, 3, 2}));
  EXPECT_EQ(simulate(to_one, problem, Ports::duplex).cost, (Cost{1, 3, 3, 0, 3, 2}));
  problem.network.latency = 5;
  EXPECT_DOUBLE_EQ(seconds_of(from_one, problem), 3035);
  EXPECT_DOUBLE_EQ(seconds_of(to_one, problem), 3035);
}

// A link's bucket is full at first, and fills at the link's rate. Its bytes take no time.
TEST(Simulation, OfLinksThatLetSomeBytesThroughAtOnce) {
  Algorithm three_in_a_row = made_of([](const Problem& problem, Rank me) {
    Schedule schedule;
    for (int message = 0; message < 3; ++message) {
      Round& round = schedule.add_round();
      me == 0 ? round.send(1, output(problem.count)) : round.receive(0, output(problem.count));
    }
    return schedule;
  });
  Problem problem = problem_of(2, 4);
  EXPECT_DOUBLE_EQ(seconds_of(three_in_a_row, problem), 3 * 1040);
  problem.network.burst = 3;  // full again after a start's 1000
  for (const Ports ports : {Ports::duplex, Ports::simplex}) {
    EXPECT_DOUBLE_EQ(seconds_of(three_in_a_row, problem, ports), 3 * 1010);
  }
  problem.network.alpha = 15;  // fills it by one and a half
  problem.network.burst = 6;   // all of the first, three and a half of the second, one and a half of the third
  for (const Ports ports : {Ports::duplex, Ports::simplex}) {
    EXPECT_DOUBLE_EQ(seconds_of(three_in_a_row, problem, ports), 15 + (15 + 5) + (15 + 25));
  }
  three_in_a_row.traits.multi_ported = false;
  EXPECT_DOUBLE_EQ(seconds_of(three_in_a_row, problem), 15 + (15 + 5) + (15 + 25));
  problem.network.latency = 500;  // both links fill meanwhile, as long as nothing comes
  EXPECT_DOUBLE_EQ(seconds_of(three_in_a_row, problem), 15 + (15 + 5) + (15 + 25) + 500);
  problem.network.burst = 1e9;
  EXPECT_DOUBLE_EQ(seconds_of(three_in_a_row, problem), 3 * 15 + 500);
}

// Two ranks that send at once share the bucket of their receiver's link.
TEST(Simulation, OfAReceiversLinkThatLetsSomeBytesThroughAtOnce) {
  const Algorithm two_to_one = made_of([](const Problem& problem, Rank me) {
    Schedule schedule;
    Round& round = schedule.add_round();
    for (const Rank sender : {1, 2}) {
      if (me == 0) round.receive(sender, output(problem.count));
      if (me == sender) round.send(0, output(problem.count));
    }
    return schedule;
  });
  Problem problem = problem_of(3, 40);
  problem.network.alpha = 0;
  problem.network.burst = 50;
  EXPECT_DOUBLE_EQ(seconds_of(two_to_one, problem), 300);
}

// A port takes the message that comes first, from any rank.
TEST(Simulation, OfMessagesThatDoNotComeInTheOrderOfRanks) {
  const Algorithm algorithm = made_of([](const Problem& problem, Rank me) {
    Schedule schedule;
    Round& before = schedule.add_round();
    if (me == 1) before.receive(3, output(10 * problem.count));
    if (me == 3) before.send(1, output(10 * problem.count));
    Round& round = schedule.add_round();
    if (me == 0) round.receive(1, output(problem.count)), round.receive(2, output(problem.count));
    if (me == 1 || me == 2) round.send(0, output(problem.count));
    return schedule;
  });
  // Rank 2's message is done when rank 1's begins, at 2000. If rank 1's were taken first, it would end at 4200.
  EXPECT_DOUBLE_EQ(seconds_of(algorithm, problem_of(4, 10)), 2000 + 1100);
}

// A round combines once all messages have arrived, and before the next round.
TEST(Simulation, OfCombining) {
  const Algorithm algorithm = made_of([](const Problem& problem, Rank me) {
    Schedule schedule = one_message(problem, me);
    if (me > 1) return schedule;
    const Segment arrived = schedule.add_scratch(problem.count);
    Round& combining = schedule.add_round();
    if (me == 1) combining.combine_left(output(problem.count), arrived);
    if (me == 1) combining.copy(output(problem.count), arrived);
    Round& back = schedule.add_round();
    me == 1 ? back.send(0, output(problem.count)) : back.receive(1, output(problem.count));
    return schedule;
  });
  const Simulation simulation = simulate(algorithm, problem_of(2, 100), Ports::duplex);
  EXPECT_DOUBLE_EQ(simulation.seconds, 2000 + 10 + 2000);
  EXPECT_EQ(simulation.cost, (Cost{2, 200, 200, 100, 2}));
}

TEST(Simulation, TellsOfEveryMessage) {
  std::vector<TimedMessage> transfers;
  Problem problem = problem_of(8, 100);
  problem.root = 3;
  const Algorithm& algorithm = *find_algorithm("bcast/binomial");
  const Simulation simulation = simulate(algorithm, problem, Ports::duplex, [&](const TimedMessage& transfer) {
    EXPECT_EQ(transfer.segments->count(), 100);
    transfers.push_back(transfer);
  });
  ASSERT_EQ(transfers.size(), 7u);
  EXPECT_EQ(transfers.front().from, 3);
  EXPECT_EQ(transfers.front().start, 0);
  EXPECT_EQ(transfers.front().end, 2000);
  EXPECT_EQ(transfers.back().round, 2u);
  EXPECT_EQ(transfers.back().end, simulation.seconds);
  EXPECT_EQ(simulate(algorithm, problem, Ports::duplex).seconds, simulation.seconds);
}

TEST(Simulation, SaysHowFarItIs) {
  Problem problem = problem_of(3000, 1 << 20, {});
  double last = 0;
  int reports = 0;
  SimulationOptions options;
  options.on_progress = [&](double part) {
    EXPECT_GE(part, last);
    last = part;
    ++reports;
  };
  simulate(*find_algorithm("bcast/circulant"), problem, Ports::duplex, {}, options);
  EXPECT_EQ(last, 1);
  EXPECT_GE(reports, 3);
}

TEST(Simulation, OfSeveralThreadsIsThatOfOne) {
  for (const Algorithm& algorithm : registry()) {
    for (const Problem& problem : verifier::even_problems(algorithm, 16)) {
      for (const Ports ports : {Ports::duplex, Ports::simplex}) {
        const Simulation alone = simulate(algorithm, problem, ports, {}, {1, {}});
        const Simulation together = simulate(algorithm, problem, ports, {}, {5, {}});
        EXPECT_EQ(alone.seconds, together.seconds) << algorithm.name;
        EXPECT_EQ(alone.cost, together.cost) << algorithm.name;
      }
    }
  }
}

// No rank is later than if all waited for each other after each round. In lockstep none is earlier.
TEST(ClosedForm, IsTheMostThatTheSimulationTakesAndInLockstepWhatItTakes) {
  const Rank highest = tests::highest_ranks(64);
  constexpr Network networks[] = {{}, {.gamma = 20e-9, .latency = 80e-6}, {.burst = 100}};
  std::size_t lockstep_algorithms = 0;
  for (const Algorithm& algorithm : registry()) {
    const bool lockstep = in_lockstep(algorithm);
    lockstep_algorithms += lockstep ? 1 : 0;
    for (Rank p = 1; p <= highest; ++p) {
      for (Problem problem : verifier::even_problems(algorithm, p)) {
        for (const Network& network : networks) {
          problem.network = network;
          const double bound = seconds(algorithm.costs(problem), problem);
          const double simulated = seconds_of(algorithm, problem);
          ASSERT_LE(simulated, bound * (1 + rounding)) << algorithm.name << " " << to_string(problem);
          if (lockstep && network.burst == 0) {  // each rank has a burst of its own, the closed form only one
            ASSERT_GE(simulated, bound * (1 - rounding)) << algorithm.name << " " << to_string(problem);
          }
        }
      }
    }
  }
  std::printf("%zu of %zu algorithms are in lockstep\n", lockstep_algorithms, registry().size());
  EXPECT_GE(lockstep_algorithms, 5u);
  EXPECT_LT(lockstep_algorithms, registry().size());
}

// With ranks that share hosts, the choice's time is an upper bound, since messages within hosts are cheaper.
TEST(ClosedForm, IsTheMostThatTheSimulationTakesOnHosts) {
  constexpr Network between{.alpha = 30e-6, .beta = 80e-9, .gamma = 1e-9, .latency = 40e-6};
  constexpr Network within{.alpha = 2e-6, .beta = 1e-9, .latency = 1e-6};
  std::size_t cases = 0;
  for (const Algorithm& algorithm : registry()) {
    for (const Rank slots : {2, 3, 4}) {
      for (const Rank hosts : {2, 3, 4, 7}) {
        for (Problem problem : verifier::even_problems(algorithm, hosts * slots)) {
          problem.network = between;
          problem.mesh = {hosts, slots};
          problem.within_host = within;
          if (obstacle(algorithm, problem)) continue;
          const Simulation simulation = simulate(algorithm, problem, Ports::duplex);
          const Cost priced = cost_on_hosts(algorithm, problem);
          ASSERT_LE(simulation.cost.volume, priced.volume) << algorithm.name << " " << to_string(problem);
          ASSERT_LE(simulation.seconds, seconds(priced, problem) * (1 + rounding))
              << algorithm.name << " " << to_string(problem);
          ++cases;
        }
      }
    }
  }
  EXPECT_GE(cases, 5'000u);
}

// Four hosts of two ranks exchange in a ring, all at once: each host's link carries two messages in each direction.
TEST(Simulation, OfRanksThatShareHosts) {
  const Algorithm algorithm = made_of([](const Problem& problem, Rank me) {
    Schedule schedule;
    Round& between = schedule.add_round();
    between.send((me + 2) % problem.ranks, output(problem.count));
    between.receive((me + problem.ranks - 2) % problem.ranks, output(problem.count));
    Round& within = schedule.add_round();
    within.send(me ^ 1, output(problem.count));
    within.receive(me ^ 1, output(problem.count));
    return schedule;
  });
  Problem problem = problem_of(8, 4);
  problem.network.latency = 7;
  problem.mesh = {4, 2};
  problem.within_host = Network{.alpha = 100, .beta = 1, .latency = 3};
  const Simulation simulation = simulate(algorithm, problem, Ports::duplex);
  EXPECT_DOUBLE_EQ(simulation.seconds, (1000 + 10 * 2 * 4 + 7) + (100 + 4 + 3));
  EXPECT_EQ(simulation.cost, (Cost{1, 8, 64, 0, 16, 0, 0, 1, 4, 0}));
  // All of a host's ranks share its cores.
  problem.within_host->shared_alpha = 80;
  EXPECT_DOUBLE_EQ(seconds_of(algorithm, problem), (1000 + 10 * 2 * 4 + 7) + (160 + 4 + 3));
  problem.within_host.reset();
  EXPECT_DOUBLE_EQ(seconds_of(algorithm, problem), 2 * (1000 + 10 * 4 + 7));
}

}  // namespace
}  // namespace cohort
