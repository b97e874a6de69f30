// SPDX-License-Identifier: Apache-2.0
#include "collectives/barrier_mode.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "collectives/patterns/fibonacci_tree.hpp"
#include "collectives/patterns/tree_pipeline.hpp"
#include "collectives/peers.hpp"
#include "collectives/sync/sync.hpp"

namespace cohort {
namespace {

enum class Signals : std::uint8_t { none, fan_in, fan_out, sync };

// Whether the data of some rank may be empty, as far as this rank knows. All ranks get the same answer.
bool data_may_be_missing(const Problem& problem) {
  switch (problem.operation) {
    case Operation::scatter:
    case Operation::gather:
    case Operation::concat:
    case Operation::reduce_scatter:
      return problem.blocks.any_empty();
    case Operation::index:
      return !problem.blocks.equal() || !problem.receive_blocks.equal() || problem.blocks.any_empty();
    default:
      return problem.count == 0;
  }
}

Signals signals_of(const Problem& problem) {
  if (problem.ranks == 1 || problem.operation == Operation::sync) return Signals::none;
  if (problem.operation == Operation::shift || data_may_be_missing(problem)) return Signals::sync;
  switch (problem.operation) {
    case Operation::bcast:
    case Operation::scatter:
      return Signals::fan_in;
    case Operation::reduce:
    case Operation::gather:
    case Operation::prefix:
    case Operation::exclusive_prefix:
      return Signals::fan_out;
    default:
      return Signals::none;
  }
}

Rank root_of_signals(const Problem& problem) { return has_root(problem.operation) ? problem.root : problem.ranks - 1; }

// The time of signals along the halving tree, from its root to the last rank or back. Each signal keeps its sender busy
// for `gap`, and arrives `latency` later. The ranges of one level have at most two sizes, and their roots are at an
// end, so few different cases are computed.
class HalvingTime {
 public:
  HalvingTime(double gap, double latency) : gap_(gap), latency_(latency) {}

  double from(Rank ranks, Rank root) {
    double latest = 0;
    double elapsed = 0;
    for (Rank first = 0, last = ranks; last - first > 1;) {
      const Rank middle = first + (last - first + 1) / 2;
      elapsed += gap_;
      const double other = root < middle ? from_end(last - middle, true) : from_end(middle - first, false);
      latest = std::max(latest, elapsed + latency_ + other);
      (root < middle ? last : first) = middle;
    }
    return latest;
  }

 private:
  double from_end(Rank size, bool is_first) {
    if (size == 1) return 0;
    const auto [known, is_new] = known_.try_emplace({size, is_first}, 0);
    if (!is_new) return known->second;
    const Rank left = (size + 1) / 2, right = size / 2;
    const double mine = from_end(is_first ? left : right, is_first);
    const double other = from_end(is_first ? right : left, is_first);
    return known_[{size, is_first}] = gap_ + std::max(mine, latency_ + other);
  }

  double gap_;
  double latency_;
  std::map<std::pair<Rank, bool>, double> known_;
};

double halving_seconds(const Problem& problem) {
  const Network& network = problem.network;
  const Rank on_a_host = ranks_per_host(problem);
  if (on_a_host == 1) return HalvingTime(network.alpha, network.latency).from(problem.ranks, root_of_signals(problem));
  const Network inner = network_within_host(problem);  // a host's ranks are a range, which halving splits last
  return ceil_log2(problem.ranks / on_a_host) * (network.alpha + network.latency) +
         ceil_log2(on_a_host) * (inner.alpha + inner.latency);
}

PostalTimes times_of_signals(const Problem& problem) {
  Problem signals;
  signals.network = problem.network;
  return postal_times(signals, 0);
}

struct SignalTree {
  bool is_fibonacci = false;
  double seconds = 0;
};

SignalTree tree_of(const Problem& problem) {
  // The postal times are rounded, so a smaller gain may be an error; and equal times must count as equal.
  static constexpr double no_faster = 0.95;
  const Network& network = problem.network;
  const double shared = (problem.ranks - 1) * network.shared_alpha;
  const double halving = std::max(halving_seconds(problem), shared);
  if (problem.ranks < 3 || network.latency <= 0 || network.alpha <= 0 || shared >= no_faster * halving)
    return {false, halving};
  const PostalTimes times = times_of_signals(problem);
  const double fibonacci = std::max(
      network.alpha / static_cast<double>(times.gap) * static_cast<double>(fibonacci_end(problem.ranks, times)),
      shared);
  return fibonacci < no_faster * halving ? SignalTree{true, fibonacci} : SignalTree{false, halving};
}

Tree signal_tree(const Problem& problem, Rank me) {
  const Rank root = root_of_signals(problem);
  return tree_of(problem).is_fibonacci ? fibonacci_tree(problem.ranks, root, me, times_of_signals(problem))
                                       : halving_tree(problem.ranks, root, me);
}

Schedule then(Schedule first, Schedule second) {
  first.append(std::move(second));
  return first;
}

}  // namespace

Schedule in_barrier_mode(const Algorithm& algorithm, const Problem& problem, Rank me) {
  return with_signals(algorithm.schedule(problem, me), problem, me);
}

Schedule with_signals(Schedule schedule, const Problem& problem, Rank me) {
  switch (signals_of(problem)) {
    case Signals::fan_in:
      return then(tree_fan_in(signal_tree(problem, me)), std::move(schedule));
    case Signals::fan_out:
      return then(std::move(schedule), tree_fan_out(signal_tree(problem, me)));
    case Signals::sync:
      return then(sync::dissemination(problem, me), std::move(schedule));
    default:
      return schedule;
  }
}

SignalsPrice price_of_signals(const Problem& problem) {
  const Signals signals = problem.barrier ? signals_of(problem) : Signals::none;
  if (signals == Signals::none) return {};
  if (signals == Signals::sync) {
    const Cost cost = sync::dissemination_cost(problem);
    return {cost, seconds_by_data(cost, problem)};
  }
  return {{signal_tree(problem, 0).rounds, 0, 0, 0, problem.ranks - 1}, tree_of(problem).seconds};
}

}  // namespace cohort
