// SPDX-License-Identifier: Apache-2.0
#include "collectives/verifier/cases.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include "collectives/peers.hpp"
#include "collectives/verifier.hpp"
#include "collectives/verifier/transit_sizes.hpp"

namespace cohort::verifier {
namespace {

Blocks uneven(Rank p, Count factor) {
  std::vector<Count> counts(static_cast<std::size_t>(p));
  for (Rank rank = 0; rank < p; ++rank) counts[static_cast<std::size_t>(rank)] = (rank * factor + 1) % 4;
  return Blocks(counts);
}

Blocks all_at(Rank p, Rank owner) {
  std::vector<Count> counts(static_cast<std::size_t>(p));
  counts[static_cast<std::size_t>(owner)] = p;
  return Blocks(counts);
}

bool has_blocks(Operation operation) {
  return operation == Operation::scatter || operation == Operation::gather || operation == Operation::concat ||
         operation == Operation::reduce_scatter;
}

bool has_in_place(Operation operation) {
  return operation == Operation::reduce || operation == Operation::combine || operation == Operation::prefix ||
         operation == Operation::exclusive_prefix || operation == Operation::concat;
}

// How many elements rank `from` sends to rank `to`, in three different patterns.
Count pair_size(int pattern, Rank from, Rank to) {
  if (pattern == 0) return (3 * from + 5 * to + from * to) % 4;
  if (pattern == 1) return from < to ? 2 : 0;
  return to == 0 ? from : 0;
}

std::vector<Problem> index_with_sizes(const Problem& base, int pattern) {
  std::vector<Problem> problems = same_for_all(base);
  for (Rank me = 0; me < base.ranks; ++me) {
    std::vector<Count> out;
    std::vector<Count> in;
    for (Rank other = 0; other < base.ranks; ++other) {
      out.push_back(pair_size(pattern, me, other));
      in.push_back(pair_size(pattern, other, me));
    }
    problems[static_cast<std::size_t>(me)].blocks = Blocks(out);
    problems[static_cast<std::size_t>(me)].receive_blocks = Blocks(in);
  }
  return problems;
}

int many_blocks(Rank p) { return 4 * ceil_log2(p) + 9; }

std::set<Count> values_of(const Algorithm& algorithm, const Parameter& parameter, const Problem& problem) {
  // Includes a number of blocks that exceeds the slots of a pipeline that holds a few times log2 p blocks.
  if (parameter.name == "blocks") {
    std::set<Count> values;
    for (const Count blocks : {1, 3, many_blocks(problem.ranks)}) {
      values.insert(std::clamp<Count>(problem.count, 1, blocks));
    }
    return values;
  }
  static constexpr Count few = 8;
  const Count lowest = parameter.lowest;
  const Count highest = parameter.highest(problem);
  // Each parameter has fewer values if there are several, because all combinations are tried.
  const auto is_other = [](const Parameter& other) { return other.name != "blocks"; };
  const bool alone = std::ranges::count_if(algorithm.parameters, is_other) == 1;
  if (!alone && highest - lowest >= few) return {lowest, lowest + 1, highest};
  std::set<Count> values{lowest + 1, lowest + 2, (lowest + highest) / 2, lowest, highest};
  for (Count value = lowest; highest - lowest < few && value <= highest; ++value) values.insert(value);
  std::erase_if(values, [&](Count value) { return value < lowest || value > highest; });
  return values;
}

// No mesh, the line, one or two meshes of two sides, one of three.
std::set<std::vector<Rank>> meshes_of(Rank p) {
  std::set<std::vector<Rank>> meshes{{}, {p}};
  for (Rank side = 2; side < p; ++side) {
    if (p % side != 0) continue;
    const Rank rest = p / side;
    meshes.insert({side, rest});
    meshes.insert({rest, side});
    for (Rank next = 2; next < rest; ++next) {
      if (rest % next == 0) return meshes.insert({side, next, rest / next}), meshes;
    }
    return meshes;
  }
  return meshes;
}

struct Case {
  Problem problem;
  int pattern = -1;  // of sizes for each pair; -1: none

  std::vector<Problem> of_all_ranks(const Algorithm& algorithm) const {
    if (pattern < 0) return same_for_all(problem);
    std::vector<Problem> problems = index_with_sizes(problem, pattern);
    if (algorithm.needs.transit_sizes) exchange_transit_sizes(problems);
    return problems;
  }
};

// All cases of one root. Each step multiplies the cases of the step before.
class Cases {
 public:
  Cases(const Algorithm& algorithm, const Problem& problem) : algorithm_(algorithm), cases_{{problem}} {
    for_each([this](const Case& base) { operators(base); });
    for_each([this](const Case& base) { sizes(base); });
    for_each([this](const Case& base) { places(base); });
    for_each([this](const Case& base) { meshes(base); });
    for (const Parameter& parameter : algorithm.parameters) {
      for_each([&](const Case& base) { values(base, parameter); });
    }
    std::erase_if(cases_,
                  [&](const Case& it) { return obstacle(algorithm, it.of_all_ranks(algorithm).front()).has_value(); });
  }

  const std::vector<Case>& list() const { return cases_; }

 private:
  template <class Step>
  void for_each(const Step& step) {
    std::vector<Case> bases;
    std::swap(bases, cases_);
    for (const Case& base : bases) step(base);
  }

  void operators(Case base) {
    base.problem.commutative = algorithm_.needs.commutative;
    cases_.push_back(base);
    if (!algorithm_.needs.root_at_end && !algorithm_.traits.uses_commutativity) return;
    base.problem.commutative = true;
    cases_.push_back(base);
  }

  void sizes(const Case& base) {
    if (base.problem.operation == Operation::shift) return distances(base);
    const Rank p = base.problem.ranks;
    std::set<Count> sizes{0, 1, p - 1, p, p + 1};
    // Many more blocks than a pipeline's slots.
    if (std::ranges::find(algorithm_.parameters, "blocks", &Parameter::name) != algorithm_.parameters.end()) {
      sizes.insert(many_blocks(p));
    }
    if (base.problem.operation == Operation::sync) sizes = {0};
    for (const Count size : sizes) {
      Case next = base;
      next.problem.count = size;
      next.problem.blocks = next.problem.receive_blocks = Blocks(p, size);
      cases_.push_back(next);
    }
    if (algorithm_.needs.equal_blocks) return;
    if (has_blocks(base.problem.operation)) {
      for (const Blocks& blocks : {uneven(p, 5), uneven(p, 6), all_at(p, p - 1), all_at(p, 0)}) {
        Case next = base;
        next.problem.blocks = blocks;
        cases_.push_back(next);
      }
    }
    if (base.problem.operation == Operation::index) {
      for (int pattern = 0; pattern < 3; ++pattern) cases_.push_back({base.problem, pattern});
    }
  }

  void distances(const Case& base) {
    const Count p = base.problem.ranks;
    static constexpr Count farthest = std::numeric_limits<Count>::max();
    for (const Count distance : std::set<Count>{0, 1, -1, p - 1, 1 - p, p, -p, p + 1, -p - 1, 2 * p + 3, -2 * p - 3,
                                                farthest, -farthest, -farthest - 1}) {
      for (const bool cyclic : {false, true}) {
        Case next = base;
        next.problem.count = 2;
        next.problem.distance = distance;
        next.problem.cyclic = cyclic;
        cases_.push_back(next);
      }
    }
  }

  void places(Case base) {
    cases_.push_back(base);
    if (!has_in_place(base.problem.operation)) return;
    base.problem.in_place = true;
    cases_.push_back(base);
  }

  void meshes(Case base) {
    if (!algorithm_.traits.uses_mesh) return cases_.push_back(base);
    for (const std::vector<Rank>& mesh : meshes_of(base.problem.ranks)) {
      base.problem.mesh = mesh;
      cases_.push_back(base);
    }
  }

  void values(Case base, const Parameter& parameter) {
    for (const Count value : values_of(algorithm_, parameter, base.problem)) {
      base.problem.parameters.set(std::string(parameter.name), value);
      cases_.push_back(base);
    }
  }

  const Algorithm& algorithm_;
  std::vector<Case> cases_;
};

}  // namespace

std::vector<Problem> even_problems(const Algorithm& algorithm, Rank ranks) {
  std::vector<Problem> problems;
  for (const Count blocks : {Count{1}, Count{2}, Count{5}, Count{32}}) {
    Problem problem;
    problem.operation = algorithm.operation;
    problem.ranks = ranks;
    problem.root = ranks / 3;
    problem.count = 6 * ranks * blocks;
    problem.blocks = problem.receive_blocks = Blocks(ranks, 6 * blocks);
    problem.distance = blocks - 2;
    problem.cyclic = ranks % 2 == 0;
    bool pipelined = problem.operation == Operation::shift;
    for (const std::vector<Rank>& mesh :
         algorithm.traits.uses_mesh ? meshes_of(ranks) : std::set<std::vector<Rank>>{{}}) {
      problem.mesh = mesh;
      std::vector<Problem> made{problem};
      for (const Parameter& parameter : algorithm.parameters) {
        std::vector<Problem> more;
        for (Problem& base : made) {
          const bool is_blocks = parameter.name == "blocks";
          pipelined = pipelined || is_blocks;
          for (const Count value : is_blocks ? std::set<Count>{blocks} : values_of(algorithm, parameter, base)) {
            base.parameters.set(std::string(parameter.name), value);
            more.push_back(base);
          }
        }
        made = std::move(more);
      }
      problems.insert(problems.end(), made.begin(), made.end());
    }
    if (!pipelined) break;
  }
  const bool two_kinds = algorithm.traits.uses_commutativity || algorithm.needs.root_at_end;
  const std::size_t commutative = two_kinds ? problems.size() : 0;
  for (std::size_t i = 0; i < commutative; ++i) {
    problems.push_back(problems[i]);
    problems.back().commutative = false;
    if (algorithm.needs.root_at_end) problems.back().root = i % 2 == 0 ? 0 : ranks - 1;
  }
  std::erase_if(problems, [&](const Problem& problem) { return obstacle(algorithm, problem).has_value(); });
  if (algorithm.traits.knows_hosts) {
    const std::size_t flat = problems.size();
    for (std::size_t i = 0; i < flat; ++i) {
      if (problems[i].mesh.empty()) continue;
      problems.push_back(problems[i]);
      problems.back().within_host = Network{.alpha = 7e-6, .beta = 1.3e-9, .latency = 3e-6};
    }
  }
  return problems;
}

bool for_each_case(const Algorithm& algorithm, Rank ranks, std::size_t most, const OnCase& on_case) {
  Problem problem;
  problem.operation = algorithm.operation;
  problem.ranks = ranks;
  const Rank roots = has_root(algorithm.operation) ? ranks : 1;
  const std::size_t most_of_root = std::max<std::size_t>(most / static_cast<std::size_t>(roots), 1);
  for (problem.root = 0; problem.root < roots; ++problem.root) {
    const std::vector<Case> cases = Cases(algorithm, problem).list();
    const std::size_t step = cases.size() / most_of_root + (cases.size() % most_of_root == 0 ? 0 : 1);
    if (step == 0) continue;
    for (auto i = static_cast<std::size_t>(problem.root + ranks) % step; i < cases.size(); i += step) {
      if (!on_case(cases[i].of_all_ranks(algorithm))) return false;
    }
  }
  return true;
}

}  // namespace cohort::verifier
