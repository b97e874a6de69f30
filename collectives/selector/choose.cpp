#include "collectives/selector/choose.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "collectives/barrier_mode.hpp"
#include "collectives/dataflow.hpp"
#include "collectives/patterns/mesh.hpp"
#include "collectives/patterns/pipeline_blocks.hpp"
#include "collectives/peers.hpp"
#include "collectives/simulator.hpp"
#include "collectives/simulator/by_data.hpp"

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

// Where each message waits for the one before, one processor works, and the others that the ranks share have nothing
// to do: what is shared takes a message twice as long. Measured on two, from four ranks on: decisions 57 and 59. (Of
// three, closed forms take a star for a chain.)
double shared_in_turn(const Cost& cost, const Problem& problem) {
  const Count in_turn = cost.rounds - cost.overlapped + cost.inner_rounds - cost.inner_overlapped;
  if (problem.ranks < 4 || cost.messages > in_turn) return 0;
  return shared_seconds(cost, problem) + static_cast<double>(cost.messages) * problem.network.shared_alpha;
}

// Closed forms know the most that some rank sends, not what each link lets through at once, and again when it has
// rested. The rounds of up to about so many messages, of all ranks, are played: 0.1 us each, in every process. Those of
// all algorithms for a problem are, or none: one that is played looks faster.
constexpr Count most_messages_in_rounds = 1 << 16;

// Where blocks are unequal it depends on where the large ones are which messages wait for which. So they are played,
// too, where all algorithms together take no longer to play than this part of the operation's own time: a program may
// come with other sizes each time.
constexpr double part_for_playing = 0.1;

bool unequal_are_to_be_played(const Problem& problem) {
  if (problem.ranks > most_messages_in_rounds / problem.ranks) return false;
  const Network& network = problem.network;
  const double ranks = problem.ranks;
  const double playing_s = has_root(problem.operation) ? 3e-6 * ranks + 0.1e-6 * ranks * ranks : 3e-6 * ranks * ranks;
  const double least_s = ceil_log2(problem.ranks) * (network.alpha + network.latency) +
                         network.beta * static_cast<double>(problem.blocks.total() * problem.element_bytes);
  return playing_s <= part_for_playing * least_s;
}

bool has_rounds_played(const Problem& problem) {
  if (!problem.blocks.equal()) return unequal_are_to_be_played(problem);
  if (problem.network.burst == 0) return false;
  const Count bytes = (problem.count + problem.blocks.total()) * problem.element_bytes;
  const Count messages_of_a_rank = std::max<Count>(problem.ranks, bytes / smallest_block_bytes);
  return problem.ranks <= most_messages_in_rounds / messages_of_a_rank;
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

// What the links of all hosts carry, in each direction.
class Loads {
 public:
  explicit Loads(const Problem& problem)
      : problem_(problem),
        ranks_per_host_(ranks_per_host(problem)),
        out_(static_cast<std::size_t>(problem.ranks)),
        in_(out_) {}

  void add(Rank sender, Rank receiver, Count elements) {
    const auto from = static_cast<std::size_t>(sender / ranks_per_host_);
    const auto to = static_cast<std::size_t>(receiver / ranks_per_host_);
    if (from == to) return;
    const auto bytes = static_cast<double>(elements * problem_.element_bytes);
    out_[from].add(bytes);
    in_[to].add(bytes);
  }

  // Where calls follow each other: what the busiest host's link has to carry.
  double seconds_in_a_row() const {
    double longest = 0;
    for (const auto* loads : {&out_, &in_}) {
      for (const Load& load : *loads) longest = std::max(longest, load.seconds_in_a_row(problem_.network));
    }
    return longest;
  }

 private:
  const Problem& problem_;
  Rank ranks_per_host_;
  std::vector<Load> out_, in_;
};

Times play_rounds(const Algorithm& algorithm, const Problem& problem) {
  Loads loads(problem);
  const auto on_transfer = [&](const Transfer& transfer) {
    loads.add(transfer.from, transfer.to, transfer.segments->count());
  };
  const auto [seconds, cost] =
      simulate(algorithm, problem, Ports::duplex, on_transfer, {.threads = 1, .on_progress = {}});
  const double shared = shared_seconds(cost, problem);
  return {std::max(seconds, shared), std::max(loads.seconds_in_a_row(), shared)};
}

// What rounds lose that neither the closed form nor a play knows.
Cost with_losses(const Algorithm& algorithm, const Problem& problem, const Cost& cost) {
  Cost practical = cost;
  if (algorithm.traits.drifts) practical.volume += drifting_volume(cost, problem);
  if (!algorithm.traits.neighbours) practical.volume += crossing_volume(cost, problem);
  return practical;
}

bool is_empty(const Cost& cost, const Problem& problem) {
  return cost.volume == 0 && problem.operation != Operation::sync;  // or of sizes that not all know
}

Times estimate(const Algorithm& algorithm, const Problem& problem) {
  const Cost cost = cost_on_hosts(algorithm, problem);
  const double in_practice = seconds_by_data(with_losses(algorithm, problem, cost), problem);
  const double in_turn = shared_in_turn(cost, problem);
  if (is_empty(cost, problem) || !has_rounds_played(problem)) return {std::max(in_practice, in_turn), 0};
  // Both are the most that it takes: the simulator does not let all latencies overlap, the closed form no link rest.
  const double by_data = seconds_by_data(cost, problem);
  const double lost = in_practice - by_data;
  const Times played = play_rounds(algorithm, problem);
  return {std::max(std::min(played.alone, by_data) + lost, in_turn), played.by_links + lost};
}

Times play_by_data(const Algorithm& algorithm, const Problem& problem) {
  const Cost cost = cost_on_hosts(algorithm, problem);
  const double lost = seconds_by_data(with_losses(algorithm, problem, cost), problem) - seconds_by_data(cost, problem);
  Loads loads(problem);
  const double alone = seconds_played_by_data([&](Rank me) { return algorithm.schedule(problem, me); }, problem,
                                              [&](Rank from, Rank to, Count n) { loads.add(from, to, n); });
  const double shared = shared_seconds(cost, problem);
  const double by_links = problem.network.burst == 0 ? 0 : std::max(loads.seconds_in_a_row(), shared) + lost;
  return {std::max({alone + lost, shared, shared_in_turn(cost, problem)}), by_links};
}

// The mean of a call alone and of one in a row, since nobody knows which it will be. In a row it takes no less than
// alone: a rank waits for the others in each call, if not for data then for the barrier.
double price_of(const Times& times) { return (times.alone + std::max(times.alone, times.by_links)) / 2; }

// How long it keeps a rank at work, where nothing is shared: that is what a next call has to wait for.
double busy_seconds(const Algorithm& algorithm, Problem problem) {
  Network& network = problem.network;
  network.shared_alpha = network.shared_beta = network.latency = network.burst = 0;
  return estimate(algorithm, problem).alone;
}

struct Candidate {
  const Algorithm* algorithm = nullptr;
  Cost cost;
  Times times;
  bool is_played = false;

  double price() const { return price_of(times); }
};

// Estimates are wrong by less, most of them far.
constexpr double worth_playing = 1.6;  // times the least price

// Where what all ranks share takes far longer than the rounds, as the processors of one machine do for many ranks, the
// price is known without a play.
bool is_what_is_shared(const Cost& cost, Problem problem) {
  const double shared = shared_seconds(cost, problem);
  problem.network.shared_alpha = problem.network.shared_beta = 0;
  return shared > 2 * seconds_by_data(cost, problem);
}

// In messages of the usual kind, 3 us each. Rounds in progress that combine are many actions to compare, and messages
// of many pieces many places.
double effort_of_playing(const Candidate& candidate, const Problem& problem) {
  static constexpr double rounds_worth_one = 8, ranks_worth_one = 32;
  if (is_what_is_shared(candidate.cost, problem)) return 0;
  double weight = 1;
  if (reduces(problem.operation)) {
    weight += std::min<double>(static_cast<double>(candidate.cost.rounds), Dataflow::default_window) / rounds_worth_one;
  }
  if (candidate.algorithm->traits.slow_to_make) weight += problem.ranks / ranks_worth_one;
  return weight * static_cast<double>(candidate.cost.messages);
}

// What playing all algorithms of a problem together may take, in every process, once for a class of problems; of long
// calls more, but no longer than a few of these. Where that does not suffice for all that may be the cheapest none is
// played: what is played is another measure. Unequal blocks are priced in each call, so playing them may take a part of
// the call's time only.
double most_effort(const Problem& problem, double least_estimate) {
  static constexpr double playing_seconds = 3e-6;
  if (!problem.blocks.equal()) return part_for_playing * least_estimate / playing_seconds;
  static constexpr double enough = 1 << 12, most = 1 << 17;
  static constexpr double of_a_rank = 100;
  static constexpr double seconds_for_one = 1e-6;
  return std::clamp(std::max(of_a_rank * std::min(problem.ranks, 256), least_estimate / seconds_for_one), enough, most);
}

void play_those_that_may_be_cheapest(std::vector<Candidate>& candidates, const Problem& problem) {
  std::vector<Candidate> played = candidates;
  std::vector<Candidate*> order;
  for (Candidate& candidate : played) order.push_back(&candidate);
  std::ranges::stable_sort(order, {}, &Candidate::price);
  double least = order.front()->price();
  double left = most_effort(problem, least);
  for (const Candidate* candidate : order) {
    if (candidate->price() <= worth_playing * least) left -= effort_of_playing(*candidate, problem);
  }
  if (left < 0) return;
  left = most_effort(problem, least);
  least = std::numeric_limits<double>::infinity();
  for (Candidate* candidate : order) {
    if (candidate->price() > worth_playing * least) break;
    if (is_empty(candidate->cost, problem) || (left -= effort_of_playing(*candidate, problem)) < 0) return;
    if (!is_what_is_shared(candidate->cost, problem)) candidate->times = play_by_data(*candidate->algorithm, problem);
    candidate->is_played = true;
    least = std::min(least, candidate->price());
  }
  candidates = std::move(played);
}

std::vector<Candidate> candidates_for(const Problem& problem) {
  std::vector<Candidate> candidates;
  for (const Algorithm& algorithm : registry()) {
    if (is_eligible(algorithm, problem))
      candidates.push_back({&algorithm, cost_on_hosts(algorithm, problem), estimate(algorithm, problem), false});
  }
  if (candidates.size() > 1) play_those_that_may_be_cheapest(candidates, problem);
  return candidates;
}

}  // namespace

bool all_know_sizes(const Problem& problem) { return problem.operation != Operation::index || problem.blocks.equal(); }

Problem as_all_know(const Problem& problem) {
  Problem known = problem;
  known.in_place = false;
  known.transit_sizes.clear();
  if (!all_know_sizes(problem)) {
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

double price_of(const Algorithm& algorithm, const Problem& problem) {
  const bool is_unknown = is_empty(cost_on_hosts(algorithm, problem), problem);
  const Times times = is_unknown ? estimate(algorithm, problem) : play_by_data(algorithm, problem);
  return price_of(times) + price_of_signals(problem).seconds;
}

std::vector<Priced> prices(const Problem& problem) {
  std::vector<Priced> prices;
  const double signals = price_of_signals(problem).seconds;
  for (const Candidate& candidate : candidates_for(as_all_know(problem))) {
    prices.push_back({candidate.algorithm, candidate.price() + signals, candidate.is_played});
  }
  return prices;
}

Choice choose(const Problem& problem) {
  const Problem known = as_all_know(problem);  // the signals of a barrier take as long whatever the algorithm
  const std::vector<Candidate> candidates = candidates_for(known);
  double least = std::numeric_limits<double>::infinity();
  for (const Candidate& candidate : candidates) least = std::min(least, candidate.price());
  const Algorithm* best = nullptr;
  std::pair least_busy(std::numeric_limits<double>::infinity(), 0.0);
  for (const Candidate& candidate : candidates) {
    if (candidate.price() > as_cheap * least) continue;
    const std::pair busy(candidate.times.by_links, busy_seconds(*candidate.algorithm, known));
    if (best != nullptr && busy >= least_busy) continue;
    least_busy = busy;
    best = candidate.algorithm;
  }
  if (best == nullptr) throw std::logic_error("no algorithm for " + std::string(name_of(problem.operation)));
  return {best, {}, best->traits.uses_mesh ? problem.mesh : std::vector<Rank>{}};
}

}  // namespace cohort
