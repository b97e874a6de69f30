#include "collectives/cost.hpp"

#include <algorithm>

#include "collectives/patterns/pipeline_blocks.hpp"
#include "collectives/peers.hpp"
#include "collectives/shift/shift.hpp"
#include "collectives/simulator.hpp"

namespace cohort {

Cost operator+(const Cost& a, const Cost& b) {
  return {a.rounds + b.rounds,
          a.volume + b.volume,
          a.total + b.total,
          a.combined + b.combined,
          a.messages + b.messages,
          a.more_starts + b.more_starts,
          a.overlapped + b.overlapped,
          a.inner_rounds + b.inner_rounds,
          a.inner_volume + b.inner_volume,
          a.inner_overlapped + b.inner_overlapped};
}

Cost within_hosts(const Cost& cost) {
  Cost inner = cost;
  inner.rounds = inner.volume = inner.overlapped = 0;
  inner.inner_rounds += cost.rounds;
  inner.inner_volume += cost.volume;
  inner.inner_overlapped += cost.overlapped;
  return inner;
}

namespace {

double in_bytes(Count elements, Count element_bytes) {
  return static_cast<double>(elements) * static_cast<double>(element_bytes);
}

// What a link takes for so many elements, one after the other.
double link_seconds(const Network& network, Count elements, Count element_bytes) {
  return network.beta * std::max(in_bytes(elements, element_bytes) - network.burst, 0.0);
}

// With the latencies of so many rounds, between hosts and within.
double seconds_with(Count latencies, Count inner_latencies, const Cost& cost, const Problem& problem) {
  const Network& network = problem.network;
  const Network inner = network_within_host(problem);
  const double rounds =
      static_cast<double>(cost.rounds + cost.more_starts) * network.alpha +
      static_cast<double>(latencies) * network.latency + link_seconds(network, cost.volume, problem.element_bytes) +
      static_cast<double>(cost.inner_rounds) * inner.alpha + static_cast<double>(inner_latencies) * inner.latency +
      link_seconds(inner, cost.inner_volume, problem.element_bytes) +
      network.gamma * in_bytes(cost.combined, problem.element_bytes);
  return std::max(rounds, shared_seconds(cost, problem));
}

}  // namespace

double seconds(const Cost& cost, const Problem& problem) {
  return seconds_with(cost.rounds, cost.inner_rounds, cost, problem);
}

double seconds_by_data(const Cost& cost, const Problem& problem) {
  return seconds_with(cost.rounds - cost.overlapped, cost.inner_rounds - cost.inner_overlapped, cost, problem);
}

double shared_seconds(const Cost& cost, const Problem& problem) {
  return static_cast<double>(cost.messages) * problem.network.shared_alpha +
         in_bytes(cost.total, problem.element_bytes) * problem.network.shared_beta;
}

Cost counted_cost(const Algorithm& algorithm, const Problem& problem) {
  return simulate(algorithm, problem, Ports::duplex).cost;
}

Cost cost_on_hosts(const Algorithm& algorithm, const Problem& problem) {
  if (!problem.within_host || algorithm.traits.knows_hosts) return algorithm.costs(problem);
  Problem flat = problem;
  flat.within_host.reset();
  Cost cost = algorithm.costs(flat);
  // All ranks of a host may send to others at once.
  if (!algorithm.traits.neighbours) cost.volume = std::min(cost.volume * ranks_per_host(problem), cost.total);
  return cost;
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
  const Count others = problem.ranks - 1;
  return with_combining(
      problem, {rounds, rounds * (problem.count / blocks), others * problem.count, 0, others * blocks, 0, blocks - 1});
}

// In round k up to 2^k blocks are sent, but no block twice.
Count doubling_volume(const Blocks& blocks) {
  const Count largest = blocks.largest();
  if (blocks.equal()) return (blocks.size() - 1) * largest;
  Count volume = 0;
  for (Count number = 1; number < blocks.size(); number *= 2) volume += std::min(number * largest, blocks.total());
  return std::min((blocks.size() - 1) * largest, volume);
}

Problem as(Operation operation, Problem problem) {
  problem.operation = operation;
  return problem;
}

}  // namespace

Cost tree(const Problem& problem) {
  const Count q = log_of(problem);
  const Count others = problem.ranks - 1;
  return with_combining(problem, {q, q * problem.count, others * problem.count, 0, others});
}

Cost linear(const Problem& problem) {
  const Count others = problem.ranks - 1;
  return with_combining(
      problem, {others, others * problem.count, others * problem.count, 0, others, 0, std::max<Count>(others - 1, 0)});
}

Cost circulant_pipeline(const Problem& problem) {
  Cost cost = pipeline(problem, log_of(problem));
  cost.overlapped = std::max<Count>(cost.overlapped - 1, 0);  // the last block may take a way round
  return cost;
}

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
  const Count messages = problem.ranks * q - (Count{1} << q) + 1;
  return with_combining(problem, {q, q * problem.count, messages * problem.count, 0, messages});
}

Cost few_rounds(const Problem& problem) {
  Cost cost = direct(problem);
  cost.volume = doubling_volume(problem.blocks);
  if (reduces(problem.operation)) cost.combined = cost.volume;
  cost.rounds = log_of(problem);
  cost.messages = problem.ranks * cost.rounds;
  return cost;
}

Cost direct(const Problem& problem) {
  const Count others = problem.ranks - 1;
  const Count block = problem.blocks.largest();
  const Count messages = problem.ranks * others;
  return with_combining(problem, {others, others * block, others * problem.blocks.total(), 0, messages});
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
  return senders == 0 ? Cost{} : Cost{1, problem.count, senders * problem.count, 0, senders};
}

}  // namespace costs
}  // namespace cohort
