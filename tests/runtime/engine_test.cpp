// SPDX-License-Identifier: Apache-2.0
// Every algorithm of the registry, played by the engine over every transport, gives what the runtime's own choice
// gives, whose results the collective checks hold against the definition.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <utility>

#include "cohort/detail/calls.hpp"
#include "collectives/registry.hpp"
#include "runtime/calls/pending_collective.hpp"
#include "runtime/calls/problem_of.hpp"
#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

using detail::Call;
using detail::GroupState;
using Values = std::vector<std::int64_t>;

// Elements of a long vector: many blocks, more than any credit. Sanitizers make each of them slow.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr Count many = 5'000;
#else
constexpr Count many = 50'000;
#endif

// 2x2 matrices modulo a prime, packed into one word: the product does not commute.
std::int64_t multiply(std::int64_t f, std::int64_t g) {
  constexpr std::int64_t p = 251;
  const auto at = [](std::int64_t m, int i) { return (m >> (8 * i)) & 0xff; };
  std::int64_t product = 0;
  for (int row = 0; row < 2; ++row) {
    for (int column = 0; column < 2; ++column) {
      const std::int64_t entry = (at(f, 2 * row) * at(g, column) + at(f, 2 * row + 1) * at(g, 2 + column)) % p;
      product |= entry << (8 * (2 * row + column));
    }
  }
  return product;
}

Values operands(Rank rank, Count size) {
  Values values;
  for (Count i = 0; i < size; ++i) {
    std::int64_t matrix = 0;
    for (int entry = 0; entry < 4; ++entry)
      matrix |= ((rank * 37 + i * 11 + entry * entry * 5 + 1) % 251) << (8 * entry);
    values.push_back(matrix);
  }
  return values;
}

struct Buffers {
  Values input;
  Values output;
};

// The buffers and the call of an operation with blocks (or vectors) of this size.
Buffers buffers_for(Operation operation, Rank me, Rank ranks, Count size) {
  const bool wide_in =
      operation == Operation::scatter || operation == Operation::index || operation == Operation::reduce_scatter;
  const bool wide_out =
      operation == Operation::gather || operation == Operation::concat || operation == Operation::index;
  return {operands(me, wide_in ? size * ranks : size), operands(99, wide_out ? size * ranks : size)};
}

Call call_for(const Algorithm& algorithm, Rank root, Buffers& buffers) {
  const auto memory = [](Values& values) { return detail::memory_of(values); };
  Call call = detail::call_of<std::int64_t>(algorithm.operation, memory(buffers.input), memory(buffers.output),
                                            Where::current());
  if (algorithm.operation == Operation::sync) call.input = call.output = {};
  if (algorithm.operation == Operation::bcast) {
    buffers.output = buffers.input;
    call.output = memory(buffers.output);
  }
  call.root = root;
  call.distance = 2;
  call.reduction = detail::erase<std::int64_t>(ordered(multiply));
  if (algorithm.needs.commutative) call.reduction = detail::erase<std::int64_t>(sum);
  return call;
}

// Returns whether the algorithm can do it: the same on all ranks.
bool play(const std::shared_ptr<GroupState>& group, const Algorithm& algorithm, Call call) {
  const Problem problem = detail::problem_of(*group, call);
  if (obstacle(algorithm, problem)) return false;
  std::optional<detail::PendingCollective> pending;
  {
    detail::Runtime::Lock lock(group->runtime());
    const detail::Task task{problem, &algorithm};
    pending.emplace(group, detail::PlannedCall{std::make_shared<const Call>(call), detail::made_call(call, problem),
                                               group->schedules().make(task, Choice{&algorithm, {}, {}}, problem,
                                                                       detail::Schedules::Signals::of_mode)});
    Looks looks = group->runtime().first_looks();
    group->runtime().begin(*pending, looks);
    group->runtime().wait(lock, *pending);
  }
  if (pending->error()) std::rethrow_exception(pending->error());
  return true;
}

// Before a call, and behind it as the runtime chooses.
struct Expected {
  Buffers before;
  Buffers behind;
};

void compare(detail::Runtime& runtime) {
  const auto group = std::make_shared<GroupState>(runtime.shared_from_this(), GroupId{},
                                                  Members::range(0, 1, runtime.job().ranks()), runtime.job().me, 0);
  const Rank ranks = group->members().size(), me = group->me();
  for (const Rank root : {0, ranks / 2, ranks - 1}) {
    for (const Count size : {Count{0}, Count{1}, Count{ranks + 1}, many}) {
      std::map<std::pair<Operation, bool>, Expected> expected;
      for (const Algorithm& algorithm : registry()) {
        const auto [entry, is_new] = expected.try_emplace({algorithm.operation, algorithm.needs.commutative});
        auto& [before, behind] = entry->second;
        if (is_new) {
          before = behind = buffers_for(algorithm.operation, me, ranks, size);
          detail::run({group, {}}, call_for(algorithm, root, behind));
          ASSERT_EQ(behind.input, before.input) << "the runtime's choice changed its input";
        }
        Buffers got = before;
        if (!play(group, algorithm, call_for(algorithm, root, got))) continue;
        ASSERT_EQ(got.output, behind.output)
            << algorithm.name << " p=" << ranks << " root=" << root << " size=" << size;
        ASSERT_EQ(got.input, before.input) << algorithm.name << " changed its input";
      }
    }
  }
}

class Engine : public ::testing::TestWithParam<std::tuple<Kind, Pid>> {};

TEST_P(Engine, PlaysEveryAlgorithm) {
  run_runtimes({std::get<0>(GetParam()), std::get<1>(GetParam()), false, {}}, compare);
}

INSTANTIATE_TEST_SUITE_P(Everywhere, Engine,
                         ::testing::Combine(::testing::ValuesIn(every_kind), ::testing::Values(1, 2, 3, 5, 8)),
                         [](const auto& info) {
                           return to_string(std::get<0>(info.param)) + "_p" + std::to_string(std::get<1>(info.param));
                         });

}  // namespace
}  // namespace cohort::testing
