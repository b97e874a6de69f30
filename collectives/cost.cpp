#include "collectives/cost.hpp"

#include <algorithm>

#include "collectives/peers.hpp"
#include "collectives/pipeline_blocks.hpp"
#include "collectives/shift/shift.hpp"
#include "collectives/simulator.hpp"

namespace cohort {

Cost operator+(const Cost& a, const Cost& b) {
  return {a.rounds + b.rounds, a.volume + b.volume, a.total + b.total, a.combined + b.combined};
}

double seconds(const Cost& cost, const Network& network, Count element_bytes) {
  const auto bytes = [&](Count elements) { return static_cast<double>(elements * element_bytes); };
  return static_cast<double>(cost.rounds) * (network.alpha + network.latency) + network.beta * bytes(cost.volume) +
         network.gamma * bytes(cost.combined);
}

Cost counted_cost(const Algorithm& algorithm, const Problem& problem) {
  return simulate(algorithm, problem, Ports::duplex).cost;
}

namespace costs {
namespace {

Count log_of(const Problem& problem) { return ceil_log2(problem.ranks); }

// Where all that arrives is combined at once.
Cost with_combining(const Problem& problem, Cost cost) {
  if (reduces(problem.operation)) cost.combined = cost.volume;
  return cost;
}

// A pipeline of blocks over so many hops, at the end of which every rank but one has had the whole vector.
Cost pipeline(const Problem& problem, Count hops) {
  if (problem.ranks == 1) return {};
  const Count blocks = pipeline_blocks(problem, hops - 1);
  const Count rounds = blocks - 1 + hops;
  return with_combining(problem, {rounds, rounds * (problem.count / blocks), (problem.ranks - 1) * problem.count});
}

Problem as(Operation operation, Problem problem) {
  problem.operation = operation;
  return problem;
}

}  // namespace

Cost tree(const Problem& problem) {
  const Count q = log_of(problem);
  return with_combining(problem, {q, q * problem.count, (problem.ranks - 1) * problem.count});
}

Cost circulant_pipeline(const Problem& problem) { return pipeline(problem, log_of(problem)); }

Cost tree_and_pipeline(const Problem& problem) {
  return tree(as(Operation::reduce, problem)) + circulant_pipeline(as(Operation::bcast, problem));
}

Cost chain(const Problem& problem) { return pipeline(problem, problem.ranks - 1); }

Cost exclusive_chain(const Problem& problem) {
  Cost cost = chain(problem);
  // The last rank has nothing to combine what it receives with.
  if (cost.rounds > 0) cost.combined -= cost.volume / cost.rounds;
  if (problem.ranks == 2) cost.combined = 0;
  return cost;
}

Cost doubling(const Problem& problem) {
  const Count q = log_of(problem);
  // In the round of distance d, all but the last d ranks send.
  return with_combining(problem, {q, q * problem.count, (problem.ranks * q - (Count{1} << q) + 1) * problem.count});
}

Cost few_rounds(const Problem& problem) {
  Cost cost = direct(problem);
  cost.rounds = log_of(problem);
  return cost;
}

Cost direct(const Problem& problem) {
  const Count others = problem.ranks - 1;
  const Count block = problem.blocks.largest();
  return with_combining(problem, {others, others * block, problem.ranks * others * block});
}

Cost combine_circulant(const Problem& problem) {
  Problem blocks = problem;
  blocks.blocks = Blocks(problem.ranks, problem.count / problem.ranks);
  return few_rounds(as(Operation::reduce_scatter, blocks)) + few_rounds(as(Operation::concat, blocks));
}

Cost shift(const Problem& problem) {
  const Count p = problem.ranks;
  const Count distance = shift::distance_of(problem);
  const Count senders = distance == 0 ? 0 : problem.cyclic ? p : p - std::abs(distance);
  return senders == 0 ? Cost{} : Cost{1, problem.count, senders * problem.count};
}

Cost sync(const Problem& problem) { return {log_of(problem), 0, 0}; }

}  // namespace costs
}  // namespace cohort
