// SPDX-License-Identifier: Apache-2.0
// The measured numbers of the choice: without them the linear model is left, and each of them adds to it.
#include "collectives/selector/profile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "collectives/model_time.hpp"
#include "collectives/selector/choose.hpp"
#include "collectives/verifier.hpp"
#include "tests/collectives/networks.hpp"

namespace cohort {
namespace {

void for_each_problem(Operation operation, const std::function<void(const Problem&)>& check) {
  for (const Rank p : {1, 2, 4, 7, 12}) {
    for (const Count bytes : {Count{12}, Count{64}, Count{20'000}, Count{1} << 20}) {
      for (const Network& network : networks) {
        Problem problem = problem_on(operation, p, bytes, network);
        if (p == 12) problem.mesh = {3, 4};
        problem.barrier = bytes == 64;
        check(problem);
      }
    }
  }
}

void for_each_problem(const std::function<void(const Problem&)>& check) {
  std::set<Operation> operations;
  for (const Algorithm& algorithm : registry()) operations.insert(algorithm.operation);
  for (const Operation operation : operations) for_each_problem(operation, check);
}

// model_time() is what `cohort model` calls seconds: a play by the data on the linear model. It counts all messages'
// bytes in the schedules; the choice takes the closed form, which is exact for vectors that divide evenly.
TEST(Profile, WithoutItAPriceIsTheModelsTime) {
  static constexpr double uneven = 1e-3;
  std::size_t cases = 0;
  for (const Algorithm& algorithm : registry()) {
    for_each_problem(algorithm.operation, [&](const Problem& problem) {
      if (!is_eligible(algorithm, problem)) return;
      if (problem.count + problem.blocks.total() == 0 && problem.operation != Operation::sync) return;
      const ModelTime model = model_time(algorithm, problem, Ports::duplex);
      ASSERT_EQ(model.source, ModelTime::Source::simulation);
      EXPECT_NEAR(price_of(algorithm, problem, profiles::plain), *model.seconds, uneven * *model.seconds)
          << algorithm.name << " " << to_string(problem);
      ++cases;
    });
  }
  EXPECT_GT(cases, 5000U);
}

TEST(Profile, WithoutItAnEstimateIsTheClosedForm) {
  std::size_t cases = 0;
  for_each_problem([&](const Problem& problem) {
    if (problem.network.burst > 0 || problem.barrier) return;
    for (const Priced& priced : prices(problem, profiles::plain)) {
      if (priced.is_played) continue;
      EXPECT_DOUBLE_EQ(priced.seconds, seconds_by_data(cost_on_hosts(*priced.algorithm, problem), problem))
          << priced.algorithm->name << " " << to_string(problem);
      ++cases;
    }
  });
  EXPECT_GT(cases, 500U);
}

TEST(Profile, WithoutItTheChoiceIsTheModelsCheapest) {
  for_each_problem([&](const Problem& problem) {
    const std::vector<Priced> all = prices(problem, profiles::plain);
    const double least = std::ranges::min(all, {}, &Priced::seconds).seconds;
    const Algorithm* const chosen = choose(problem, profiles::plain).algorithm;
    EXPECT_EQ(std::ranges::find(all, chosen, &Priced::algorithm)->seconds, least) << chosen->name;
  });
}

// The algorithm is dearer with its measured number alone.
void expect_dearer(const ChoiceProfile& one, std::string_view algorithm, const Problem& problem, double least_factor) {
  const double model = price_of(*find_algorithm(algorithm), problem, profiles::plain);
  EXPECT_GT(price_of(*find_algorithm(algorithm), problem, one), least_factor * model) << algorithm;
}

TEST(Profile, EachOfItsNumbersCounts) {
  const ChoiceProfile& all = profiles::measured;
  const Network ethernet, with_burst{.alpha = 12e-6, .beta = 80e-9, .latency = 40e-6, .burst = 10e3};
  expect_dearer({.drift = all.drift}, "concat/circulant", problem_on(Operation::concat, 16, 1 << 20, ethernet), 1.2);
  expect_dearer({.crossing = all.crossing}, "concat/circulant", problem_on(Operation::concat, 16, 1 << 20, with_burst),
                1.04);
  const Network shared{.alpha = 1e-6, .beta = 1e-9, .latency = 1e-6, .shared_alpha = 5e-6};
  expect_dearer({.in_turn = all.in_turn}, "prefix/chain", problem_on(Operation::prefix, 8, 16, shared), 1.9);
  expect_dearer({.row_weight = all.row_weight, .calls_in_a_row = all.calls_in_a_row}, "bcast/linear",
                problem_on(Operation::bcast, 8, 1 << 10, with_burst), 1.5);
}

TEST(Profile, WhatItLeavesFreeLosesNothing) {
  const ChoiceProfile& all = profiles::measured;
  const Network with_burst{.alpha = 12e-6, .beta = 80e-9, .burst = 10e3};
  const ChoiceProfile losses{.drift = all.drift,
                             .drift_free_bytes = all.drift_free_bytes,
                             .crossing = all.crossing,
                             .crossing_free_bytes = all.crossing_free_bytes};
  const Problem problem = problem_on(Operation::concat, 16, 32 << 10, with_burst);
  for (const char* name : {"concat/circulant", "concat/recursive_doubling", "concat/ring"}) {
    const Algorithm& algorithm = *find_algorithm(name);
    EXPECT_DOUBLE_EQ(price_of(algorithm, problem, losses), price_of(algorithm, problem, profiles::plain)) << name;
  }
}

// Algorithms with this trait do not lose by crossing messages.
TEST(Profile, NeighboursAreThoseThatTheirSchedulesName) {
  for (const Algorithm& algorithm : registry()) {
    if (!algorithm.traits.neighbours) continue;
    for (const Rank p : {2, 5, 8, 13}) {
      const Problem problem = problem_on(algorithm.operation, p, 1 << 20, {});
      Round storage;
      for (Rank me = 0; me < p; ++me) {
        const Schedule schedule = algorithm.schedule(problem, me);
        for (std::size_t i = 0; i < schedule.rounds(); ++i) {
          for (const Message& send : schedule.round(i, storage).sends()) {
            const Rank distance = (send.peer - me + p) % p;
            EXPECT_TRUE(distance == 1 || distance == p - 1) << algorithm.name << " " << me << " to " << send.peer;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace cohort
