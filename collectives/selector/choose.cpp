#include "collectives/selector/choose.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "collectives/patterns/mesh.hpp"
#include "collectives/patterns/pipeline_blocks.hpp"
#include "collectives/simulator.hpp"

namespace cohort {
namespace {

// To make one rank's schedule in O(p) steps takes a few nanoseconds each.
constexpr Rank most_ranks_if_slow_to_make = 1 << 14;

// Where partners change with each long message, no two rounds end together: messages of neighbouring rounds come to
// meet on a link, and their packets are dropped. Measured on Ethernet: nothing up to 256 KiB on 16 ranks; 1.03 to 1.6
// times the model's time with 16 MiB.
constexpr double drift = 0.25;            // of the time on the wire
constexpr Count short_bytes = 64 * 1024;  // of each message, which do not drift

Count drifting_volume(const Cost& cost, const Problem& problem) {
  const Count long_bytes = std::max<Count>(cost.volume * problem.element_bytes - cost.rounds * short_bytes, 0);
  return static_cast<Count>(drift * static_cast<double>(long_bytes)) / problem.element_bytes;
}

// On links that something limits, messages whose senders change wait for each other in queues, also short ones.
// Measured on 16 ranks from 256 KiB on: 1.13 times the model's time and more, 1.08 where a rank hears one neighbour
// only. Who is ahead sends what those behind need last, and so delays what they need first: in a row, some numbers of
// ranks never come back into step. 64 KiB on the circulant graph of 7, 11 and 15 take 1.3 to 1.6 times the ring's time;
// up to 56 KiB nobody waits. Counted from 32 KiB on, it outweighs the ring's further rounds from 64 KiB on:
// decision 37.
constexpr double crossing = 0.05;             // of the time on the wire
constexpr Count uncrossed_bytes = 32 * 1024;  // each time that the operation needs the vector to pass

Count crossing_volume(const Cost& cost, const Problem& problem) {
  if (problem.network.burst == 0) return 0;
  const Count passes = problem.operation == Operation::combine ? 2 : 1;
  const Count long_bytes = std::max<Count>(cost.volume * problem.element_bytes - passes * uncrossed_bytes, 0);
  return static_cast<Count>(crossing * static_cast<double>(long_bytes)) / problem.element_bytes;
}

// Where all that a rank sends leaves at once, the whole has left when the first message has, and those below it in the
// tree still have theirs to send: all but one block of a round's volume passes twice.
Count sharing_volume(const Cost& cost, const Problem& problem) {
  return std::max<Count>(cost.volume - cost.rounds * problem.blocks.total() / problem.ranks, 0);
}

// Where each message waits for the one before, one processor works, and the others that the ranks share have nothing
// to do: what is shared takes a message twice as long. Measured on two, from four ranks on: decisions 57 and 59. (Of
// three, closed forms take a star for a chain.)
double shared_in_turn(const Cost& cost, const Problem& problem) {
  const Count in_turn = cost.rounds - cost.overlapped + cost.inner_rounds - cost.inner_overlapped;
  if (problem.ranks < 4 || cost.messages > in_turn) return 0;
  return shared_seconds(cost, problem) + static_cast<double>(cost.messages) * problem.network.shared_alpha;
}

// Closed forms know the most that some rank sends, not what each link lets through at once, and again when it has
// rested. What schedules of up to about so many messages take, of all ranks, is played: 0.1 us each, in every process.
// All algorithms for a problem are, or none: one that is played looks faster.
constexpr Count most_played_messages = 1 << 14;

bool is_to_be_played(const Problem& problem) {
  if (problem.network.burst == 0) return false;
  const Count bytes = (problem.count + problem.blocks.total()) * problem.element_bytes;
  const Count messages_of_a_rank = std::max<Count>(problem.ranks, bytes / smallest_block_bytes);
  return problem.ranks <= most_played_messages / messages_of_a_rank;
}

struct Times {
  double alone = 0;     // of a call that finds all buckets full
  double by_links = 0;  // where calls follow each other; 0: not played
};

// A row is of so many calls, as benchmarks time them: each can use its share of the bucket that the first finds full
// (decision 59).
constexpr double calls_in_a_row = 20;

// What a host's link carries in one direction.
struct Load {
  double starts = 0;
  double bytes = 0;

  void add(double message_bytes) {
    ++starts;
    bytes += message_bytes;
  }
  double seconds_in_a_row(const Network& network) const {
    return network.alpha * starts + network.beta * std::max(bytes - network.burst / calls_in_a_row, 0.0);
  }
};

// Where calls follow each other: what the busiest host's link has to carry, or what all ranks share.
Times play(const Algorithm& algorithm, const Problem& problem) {
  const Rank on_a_host = ranks_per_host(problem);
  std::vector<Load> out(static_cast<std::size_t>(problem.ranks)), in(out);
  const auto on_transfer = [&](const Transfer& transfer) {
    const auto from = static_cast<std::size_t>(transfer.from / on_a_host);
    const auto to = static_cast<std::size_t>(transfer.to / on_a_host);
    if (from == to) return;
    const auto bytes = static_cast<double>(transfer.segments->count() * problem.element_bytes);
    out[from].add(bytes);
    in[to].add(bytes);
  };
  const auto [seconds, cost] =
      simulate(algorithm, problem, Ports::duplex, on_transfer, {.threads = 1, .on_progress = {}});
  const double shared = shared_seconds(cost, problem);
  double by_links = shared;
  for (const auto* loads : {&out, &in}) {
    for (const Load& load : *loads) by_links = std::max(by_links, load.seconds_in_a_row(problem.network));
  }
  return {std::max(seconds, shared), by_links};
}

Times times_of(const Algorithm& algorithm, const Problem& problem) {
  const Cost cost = cost_on_hosts(algorithm, problem);
  Cost practical = cost;
  if (algorithm.traits.drifts) practical.volume += drifting_volume(cost, problem);
  if (!algorithm.traits.neighbours) practical.volume += crossing_volume(cost, problem);
  if (algorithm.traits.leaves_at_once) practical.volume += sharing_volume(cost, problem);
  const double in_practice = seconds_by_data(practical, problem);
  const bool is_empty = cost.volume == 0 && problem.operation != Operation::sync;  // or of sizes that not all know
  const double in_turn = shared_in_turn(cost, problem);
  if (is_empty || !is_to_be_played(problem)) return {std::max(in_practice, in_turn), 0};
  // Both are the most that it takes: the simulator does not let all latencies overlap, the closed form no link rest.
  const double by_data = seconds_by_data(cost, problem);
  const double lost = in_practice - by_data;
  const Times played = play(algorithm, problem);
  return {std::max(std::min(played.alone, by_data) + lost, in_turn), played.by_links + lost};
}

// The mean of a call alone and of one in a row, since nobody knows which it will be. In a row it takes no less than
// alone: a rank waits for the others in each call, if not for data then for the barrier.
double price_of(const Times& times) { return (times.alone + std::max(times.alone, times.by_links)) / 2; }

// How long it keeps a rank at work, where nothing is shared: that is what a next call has to wait for.
double busy_seconds(const Algorithm& algorithm, Problem problem) {
  Network& network = problem.network;
  network.shared_alpha = network.shared_beta = network.latency = network.burst = 0;
  return times_of(algorithm, problem).alone;
}

}  // namespace

double price_of(const Algorithm& algorithm, const Problem& problem) { return price_of(times_of(algorithm, problem)); }

Problem as_all_know(const Problem& problem) {
  Problem known = problem;
  known.in_place = false;
  known.transit_sizes.clear();
  // In an exchange of unequal blocks a rank knows its own sizes only.
  const bool sizes_differ = problem.operation == Operation::index && !problem.blocks.equal();
  if (sizes_differ) {
    known.blocks = Blocks(std::vector<Count>(static_cast<std::size_t>(problem.ranks)));
    known.receive_blocks = known.blocks;
  }
  return known;
}

bool is_eligible(const Algorithm& algorithm, const Problem& problem) {
  const Traits& traits = algorithm.traits;
  if (algorithm.operation != problem.operation || traits.for_simplex) return false;
  if (traits.slow_to_make && problem.ranks > most_ranks_if_slow_to_make) return false;
  // Without a mesh it would be another algorithm on a line.
  if (traits.uses_mesh && problem.mesh.empty()) return false;
  return !obstacle(algorithm, problem);
}

Choice choose(const Problem& problem) {
  const Problem known = as_all_know(problem);
  std::vector<std::pair<Times, const Algorithm*>> eligible;
  double least = std::numeric_limits<double>::infinity();
  for (const Algorithm& algorithm : registry()) {
    if (!is_eligible(algorithm, known)) continue;
    eligible.emplace_back(times_of(algorithm, known), &algorithm);
    least = std::min(least, price_of(eligible.back().first));
  }
  const Algorithm* best = nullptr;
  std::pair least_busy(std::numeric_limits<double>::infinity(), 0.0);
  for (const auto& [times, algorithm] : eligible) {
    if (price_of(times) > as_cheap * least) continue;
    const std::pair busy(times.by_links, busy_seconds(*algorithm, known));
    if (best != nullptr && busy >= least_busy) continue;
    least_busy = busy;
    best = algorithm;
  }
  if (best == nullptr) throw std::logic_error("no algorithm for " + std::string(name_of(problem.operation)));
  return {best, {}, best->traits.uses_mesh ? problem.mesh : std::vector<Rank>{}};
}

}  // namespace cohort
