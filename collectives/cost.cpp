#include "collectives/cost.hpp"

#include <algorithm>
#include <vector>

#include "collectives/defaults.hpp"
#include "collectives/peers.hpp"
#include "collectives/registry.hpp"

namespace cohort {

Cost counted_cost(const Algorithm& algorithm, const Problem& problem) {
  std::vector<Count> longest;  // by round; -1 where nobody sends
  Cost cost;
  Round storage;
  for (Rank me = 0; me < problem.ranks; ++me) {
    const Schedule schedule = algorithm.schedule(problem, me);
    longest.resize(std::max(longest.size(), schedule.rounds()), -1);
    for (std::size_t i = 0; i < schedule.rounds(); ++i) {
      for (const Message& send : schedule.round(i, storage).sends()) {
        longest[i] = std::max(longest[i], send.segments.count());
        cost.total += send.segments.count();
      }
    }
  }
  for (const Count count : longest) {
    if (count < 0) continue;
    ++cost.rounds;
    cost.volume += count;
  }
  return cost;
}

namespace costs {
namespace {

Cost operator+(const Cost& a, const Cost& b) { return {a.rounds + b.rounds, a.volume + b.volume, a.total + b.total}; }

Count log_of(const Problem& problem) { return ceil_log2(problem.ranks); }

// A pipeline of blocks over so many hops, at the end of which every rank but one has had the whole vector.
Cost pipeline(const Problem& problem, Count hops) {
  if (problem.ranks == 1) return {};
  const Count blocks = defaults::pipeline_blocks(problem, hops - 1);
  const Count rounds = blocks - 1 + hops;
  return {rounds, rounds * (problem.count / blocks), (problem.ranks - 1) * problem.count};
}

}  // namespace

Cost tree(const Problem& problem) {
  const Count q = log_of(problem);
  return {q, q * problem.count, (problem.ranks - 1) * problem.count};
}

Cost circulant_pipeline(const Problem& problem) { return pipeline(problem, log_of(problem)); }

Cost tree_and_pipeline(const Problem& problem) { return tree(problem) + circulant_pipeline(problem); }

Cost chain(const Problem& problem) { return pipeline(problem, problem.ranks - 1); }

Cost doubling(const Problem& problem) {
  const Count q = log_of(problem);
  // In the round of distance d, all but the last d ranks send.
  return {q, q * problem.count, (problem.ranks * q - (Count{1} << q) + 1) * problem.count};
}

Cost few_rounds(const Problem& problem) {
  Cost cost = direct(problem);
  cost.rounds = log_of(problem);
  return cost;
}

Cost direct(const Problem& problem) {
  const Count others = problem.ranks - 1;
  return {others, others * problem.blocks.largest(), problem.ranks * others * problem.blocks.largest()};
}

Cost combine_circulant(const Problem& problem) {
  Problem blocks = problem;
  blocks.blocks = Blocks(problem.ranks, problem.count / problem.ranks);
  return few_rounds(blocks) + few_rounds(blocks);
}

Cost shift(const Problem& problem) {
  const Count p = problem.ranks;
  const Count distance = problem.cyclic ? problem.distance % p : std::clamp(problem.distance, -p, p);
  const Count senders = distance == 0 ? 0 : problem.cyclic ? p : p - std::abs(distance);
  return senders == 0 ? Cost{} : Cost{1, problem.count, senders * problem.count};
}

Cost sync(const Problem& problem) { return {log_of(problem), 0, 0}; }

}  // namespace costs
}  // namespace cohort
