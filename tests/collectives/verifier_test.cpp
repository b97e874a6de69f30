// SPDX-License-Identifier: Apache-2.0
// The verifier finds what it should: one broken schedule for each rule.
#include "collectives/verifier.hpp"

#include <gtest/gtest.h>

#include <set>

#include "collectives/peers.hpp"
#include "tests/collectives/segments.hpp"

namespace cohort {
namespace {

constexpr Delivery by_rounds[] = {Delivery::by_rounds};
constexpr Delivery by_data[] = {Delivery::by_data};

Problem small_problem(Operation operation, Rank ranks, Count count, bool commutative = false) {
  Problem problem;
  problem.operation = operation;
  problem.ranks = ranks;
  problem.count = count;
  problem.blocks = problem.receive_blocks = Blocks(ranks, count);
  problem.commutative = commutative;
  return problem;
}

std::string failure(const Problem& problem, const ScheduleOf& schedule,
                    std::span<const Delivery> deliveries = every_delivery, std::uint64_t seed = 1) {
  Verifier verifier;
  return verifier.check("test/broken", schedule, same_for_all(problem), deliveries, seed).value_or("");
}

// Every delivery rule by itself must find the fault.
void expect_caught(const Problem& problem, const ScheduleOf& schedule, const std::string& words) {
  for (const Delivery& delivery : every_delivery) {
    const std::string found = failure(problem, schedule, {&delivery, 1});
    EXPECT_NE(found.find(words), std::string::npos) << name_of(delivery) << ": " << found;
  }
}

// Rank 0 sends, rank 1 receives, as the test says.
ScheduleOf pair(const std::function<void(Round&)>& sender, const std::function<void(Round&)>& receiver) {
  return [=](const Problem&, Rank me) {
    Schedule schedule;
    Round& round = schedule.add_round();
    if (me == 0) sender(round);
    if (me == 1) receiver(round);
    return schedule;
  };
}

const auto nothing = [](Round&) {};

// Reduces the operands of two ranks to rank 0.
Schedule reduce_pair(Rank me, Step::Kind order, int times) {
  Schedule schedule;
  const Segment arrival = schedule.add_scratch(1);
  Round& round = schedule.add_round();
  if (me == 1) round.send(0, input(0, 1));
  if (me == 0) {
    round.receive(1, arrival);
    round.copy(output(0, 1), input(0, 1));
    for (int i = 0; i < times; ++i) {
      order == Step::Kind::combine_left ? round.combine_left(output(0, 1), arrival)
                                        : round.combine_right(output(0, 1), arrival);
    }
  }
  return schedule;
}

TEST(Verifier, NamesTheCaseTheRankAndTheRound) {
  Problem problem = small_problem(Operation::bcast, 3, 6);
  problem.root = 2;
  const auto schedule = [](const Problem&, Rank me) {
    Schedule schedule;
    schedule.add_round();
    if (me == 0) schedule.add_round().send(1, output(4, 1));
    if (me == 1) schedule.add_round().receive(0, output(4, 1));
    return schedule;
  };
  EXPECT_EQ(failure(problem, schedule, by_rounds),
            "test/broken p=3 root=2 m=6, rank 0, round 1: sends output[4..5), which was never written (by rounds)");
}

TEST(Verifier, AcceptsARightSchedule) {
  const auto right = [](const Problem&, Rank me) { return reduce_pair(me, Step::Kind::combine_right, 1); };
  EXPECT_EQ(failure(small_problem(Operation::reduce, 2, 1), right), "");
}

TEST(Verifier, FindsASwapUnlessTheOperatorCommutes) {
  const auto swapped = [](const Problem&, Rank me) { return reduce_pair(me, Step::Kind::combine_left, 1); };
  expect_caught(small_problem(Operation::reduce, 2, 1), swapped,
                "rank 0 ends with output[0] = x1[0] x0[0] instead of x0[0] x1[0]");
  EXPECT_EQ(failure(small_problem(Operation::reduce, 2, 1, true), swapped), "");
}

TEST(Verifier, FindsADoubleCount) {
  const auto twice = [](const Problem&, Rank me) { return reduce_pair(me, Step::Kind::combine_right, 2); };
  expect_caught(small_problem(Operation::reduce, 2, 1, true), twice, "= x0[0] x1[0] x1[0] instead of x0[0] x1[0]");
}

TEST(Verifier, FindsAMissingOperand) {
  const auto none = [](const Problem&, Rank me) { return reduce_pair(me, Step::Kind::combine_right, 0); };
  expect_caught(small_problem(Operation::reduce, 2, 1, true), none, "= x0[0] instead of x0[0] x1[0]");
}

TEST(Verifier, FindsMisplacedElements) {
  const auto schedule = pair([](Round& round) { round.send(1, output(0, 2)); },
                             [](Round& round) {
                               Segments backward;
                               backward.add(output(1, 1));
                               backward.add(output(0, 1));
                               round.receive(0, backward);
                             });
  expect_caught(small_problem(Operation::bcast, 2, 2), schedule, "rank 1 ends with output[0] = x0[1] instead of x0[0]");
}

TEST(Verifier, FindsElementsThatNeverArrive) {
  expect_caught(small_problem(Operation::bcast, 2, 2), pair(nothing, nothing),
                "output[0] = undefined instead of x0[0]");
}

TEST(Verifier, FindsACombinationOfDifferentElements) {
  const auto schedule = [](const Problem&, Rank) {
    Schedule schedule;
    Round& round = schedule.add_round();
    round.copy(output(0, 2), input(0, 2));
    round.combine_right(output(0, 1), input(1, 1));
    return schedule;
  };
  expect_caught(small_problem(Operation::combine, 1, 2), schedule, "combines x0[1] of input[1..2) with x0[0]");
}

TEST(Verifier, FindsAnUndefinedOperand) {
  const auto schedule = [](const Problem&, Rank) {
    Schedule schedule;
    schedule.add_round().combine_right(output(0, 2), input(0, 2));
    return schedule;
  };
  expect_caught(small_problem(Operation::combine, 1, 2), schedule, "combines output[0..2), which was never written");
}

TEST(Verifier, FindsASendThatNeedsABuffer) {
  // All ranks send, and only then receive.
  const auto schedule = [](const Problem& problem, Rank me) {
    Schedule schedule;
    schedule.add_round().send(modulo(me + 1, problem.ranks), input(0, 1));
    schedule.add_round().receive(modulo(me - 1, problem.ranks), output(0, 1));
    return schedule;
  };
  Problem problem = small_problem(Operation::shift, 3, 1);
  problem.distance = 1;
  EXPECT_NE(failure(problem, schedule, by_rounds).find("is never received"), std::string::npos);
  EXPECT_EQ(failure(problem, schedule, by_data), "");
}

TEST(Verifier, FindsACycleOfReceives) {
  // All ranks receive, and only then send what they received.
  const auto schedule = [](const Problem& problem, Rank me) {
    Schedule schedule;
    schedule.add_round().receive(modulo(me - 1, problem.ranks), output(0, 1));
    schedule.add_round().send(modulo(me + 1, problem.ranks), output(0, 1));
    return schedule;
  };
  Problem problem = small_problem(Operation::shift, 3, 1);
  problem.distance = 1;
  EXPECT_NE(failure(problem, schedule, by_rounds).find("waits for ever to receive from rank"), std::string::npos);
  EXPECT_NE(failure(problem, schedule, by_data).find("never completes"), std::string::npos);
}

TEST(Verifier, FindsAMessageThatIsLeftOver) {
  const auto schedule = pair([](Round& round) { round.signal(1); }, nothing);
  const Problem problem = small_problem(Operation::sync, 2, 0);
  EXPECT_NE(failure(problem, schedule, by_rounds).find("its message to rank 1 is never received"), std::string::npos);
  // By data, it depends on whether the send waits.
  std::set<std::string> findings;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::string found = failure(problem, schedule, by_data, seed);
    findings.insert(found.substr(0, found.find(" (")));
  }
  EXPECT_EQ(findings,
            (std::set<std::string>{"test/broken p=2, rank 0 never completes",
                                   "test/broken p=2, rank 0, round 0: its message to rank 1 is never received"}));
}

TEST(Verifier, FindsLengthsThatDiffer) {
  const auto schedule =
      pair([](Round& round) { round.send(1, output(0, 2)); }, [](Round& round) { round.receive(0, output(0, 1)); });
  expect_caught(small_problem(Operation::bcast, 2, 2), schedule, "receives 1 elements from rank 0, which sends 2");
}

TEST(Verifier, MatchesThePairsMessagesInOrder) {
  const auto schedule = pair(
      [](Round& round) {
        round.send(1, output(0, 1));
        round.send(1, output(1, 1));
      },
      [](Round& round) {
        round.receive(0, output(1, 1));
        round.receive(0, output(0, 1));
      });
  expect_caught(small_problem(Operation::bcast, 2, 2), schedule, "output[0] = x0[1] instead of x0[0]");
}

TEST(Verifier, FindsAReceiveIntoWhatIsBeingSent) {
  const auto schedule = [](const Problem&, Rank me) {
    Schedule schedule;
    Round& round = schedule.add_round();
    round.send(1 - me, output(0, 2));
    round.receive(1 - me, output(1, 2));
    return schedule;
  };
  Problem problem = small_problem(Operation::combine, 2, 3);
  problem.in_place = true;
  expect_caught(problem, schedule, "receives output[1..3) while it sends output[0..2)");
}

TEST(Verifier, FindsTwoReceivesIntoOnePlace) {
  const auto schedule = pair(nothing, [](Round& round) {
    round.receive(0, output(0, 2));
    round.receive(0, output(1, 1));
  });
  expect_caught(small_problem(Operation::bcast, 2, 2), schedule, "receives output[1..2) and output[0..2) at once");
}

TEST(Verifier, FindsAStepOntoItself) {
  const auto schedule = pair([](Round& round) { round.copy(output(0, 2), output(1, 2)); }, nothing);
  expect_caught(small_problem(Operation::bcast, 2, 3), schedule, "a step from output[1..3) to output[0..2)");
}

TEST(Verifier, FindsSegmentsOutsideOfTheBuffer) {
  const Problem problem = small_problem(Operation::bcast, 2, 2);
  expect_caught(problem, pair([](Round& round) { round.send(1, output(0, 3)); }, nothing),
                "sends output[0..3), but the buffer has 2 elements");
  expect_caught(problem, pair(nothing, [](Round& round) { round.receive(0, output(-1, 2)); }),
                "receives output[-1..1), but the buffer has 2 elements");
  expect_caught(problem,
                pair(
                    [](Round& round) {
                      round.copy({Buffer::scratch, 0, 1}, output(0, 1));
                    },
                    nothing),
                "writes scratch[0..1), but the buffer has 0 elements");
}

TEST(Verifier, FindsPeersThatDoNotExist) {
  const Problem problem = small_problem(Operation::bcast, 2, 1);
  expect_caught(problem, pair([](Round& round) { round.send(0, output(0, 1)); }, nothing), "to or from itself");
  expect_caught(problem, pair([](Round& round) { round.send(2, output(0, 1)); }, nothing), "rank 2, which does not");
  expect_caught(problem, pair(nothing, [](Round& round) { round.receive(-1, output(0, 1)); }), "which does not exist");
}

TEST(Verifier, FindsAWriteToTheInput) {
  const auto schedule = [](const Problem&, Rank) {
    Schedule schedule;
    Round& round = schedule.add_round();
    round.copy(output(0, 1), input(0, 1));
    round.copy(input(0, 1), output(0, 1));
    return schedule;
  };
  expect_caught(small_problem(Operation::combine, 1, 1), schedule, "writes the input");
}

TEST(Verifier, FindsAWriteToAnOutputThatStays) {
  const auto schedule = [](const Problem&, Rank) {
    Schedule schedule;
    schedule.add_round().copy(output(0, 1), input(0, 1));
    return schedule;
  };
  expect_caught(small_problem(Operation::exclusive_prefix, 1, 1), schedule, "which must stay as it is");
  Problem open = small_problem(Operation::shift, 1, 1);
  open.cyclic = false;
  open.distance = 1;
  expect_caught(open, schedule, "which must stay as it is");
}

TEST(Verifier, FindsARankThatLeavesABarrierEarly) {
  Problem problem = small_problem(Operation::bcast, 2, 1);
  const Algorithm& binomial = *find_algorithm("bcast/binomial");
  const auto found = [&](Rank held_back) {
    return Verifier().check_barrier(binomial.name, binomial.schedule, same_for_all(problem), held_back, 1).value_or("");
  };
  EXPECT_EQ(found(0), "");  // rank 1 waits for the data
  EXPECT_EQ(found(1), "bcast/binomial p=2 root=0 m=1, rank 0 completes although rank 1 has not started (seed 1)");
  problem.count = 0;
  EXPECT_EQ(found(0), "bcast/binomial p=2 root=0 m=0, rank 1 completes although rank 0 has not started (seed 1)");
}

}  // namespace
}  // namespace cohort
