// SPDX-License-Identifier: Apache-2.0
#include "collectives/verifier/properties.hpp"

#include <algorithm>
#include <tuple>

#include "collectives/barrier_mode.hpp"
#include "collectives/simulator.hpp"

namespace cohort::verifier {
namespace {

using Transfer = std::tuple<Rank, Rank, Count>;  // from, to, elements

// The transfers of one round, as the senders and as the receivers see them.
struct Transfers {
  std::vector<Transfer> sent;
  std::vector<Transfer> received;
};

std::string in_words(const Transfer& transfer) {
  return std::to_string(std::get<2>(transfer)) + " elements from rank " + std::to_string(std::get<0>(transfer)) +
         " to rank " + std::to_string(std::get<1>(transfer));
}

// Describes the transfers that only the sender or only the receiver has, or nothing.
std::optional<std::string> difference(Transfers& transfers) {
  std::sort(transfers.sent.begin(), transfers.sent.end());
  std::sort(transfers.received.begin(), transfers.received.end());
  std::vector<Transfer> alone;
  std::set_difference(transfers.sent.begin(), transfers.sent.end(), transfers.received.begin(),
                      transfers.received.end(), std::back_inserter(alone));
  if (!alone.empty()) return in_words(alone.front()) + " are not received in the round in which they are sent";
  std::set_difference(transfers.received.begin(), transfers.received.end(), transfers.sent.begin(),
                      transfers.sent.end(), std::back_inserter(alone));
  if (!alone.empty()) return in_words(alone.front()) + " are not sent in the round in which they are received";
  return {};
}

std::optional<std::string> fault_of_rounds(const Algorithm& algorithm, std::span<const Problem> ranks) {
  std::vector<Transfers> transfers;
  Round storage;
  for (Rank me = 0; me < static_cast<Rank>(ranks.size()); ++me) {
    const Schedule schedule = algorithm.schedule(ranks[static_cast<std::size_t>(me)], me);
    transfers.resize(std::max(transfers.size(), schedule.rounds()));
    for (std::size_t i = 0; i < schedule.rounds(); ++i) {
      const Round& round = schedule.round(i, storage);
      if (!algorithm.traits.multi_ported && (round.sends().size() > 1 || round.receives().size() > 1)) {
        return "rank " + std::to_string(me) + " sends or receives several messages in round " + std::to_string(i);
      }
      for (const Message& send : round.sends()) transfers[i].sent.emplace_back(me, send.peer, send.segments.count());
      for (const Message& receive : round.receives()) {
        transfers[i].received.emplace_back(receive.peer, me, receive.segments.count());
      }
    }
  }
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    if (const auto fault = difference(transfers[i])) return *fault + " (round " + std::to_string(i) + ")";
  }
  return {};
}

std::string in_words(const Cost& cost) {
  return std::to_string(cost.rounds) + " rounds, volume " + std::to_string(cost.volume) + ", total " +
         std::to_string(cost.total) + ", combined " + std::to_string(cost.combined) + ", " +
         std::to_string(cost.messages) + " messages, " + std::to_string(cost.more_starts) +
         " more starts, within hosts " + std::to_string(cost.inner_rounds) + " rounds, volume " +
         std::to_string(cost.inner_volume);
}

}  // namespace

std::size_t usual_cases(const Algorithm& algorithm, Rank ranks) {
  if (ranks <= 12) return every_case;
  return algorithm.traits.slow_to_make ? 30 : 100;
}

// The seed is computed from the case, so that a failure repeats.
std::uint64_t Properties::next_seed() { return std::hash<std::string_view>()(algorithm_.name) + cases_; }

std::optional<std::string> Properties::each(Rank ranks, std::size_t most, const Check& check) {
  std::optional<std::string> counterexample;
  for_each_case(algorithm_, ranks, most, [&](std::span<const Problem> problems) {
    ++cases_;
    counterexample = check(problems);
    return !counterexample;
  });
  return counterexample;
}

std::optional<std::string> Properties::result(Rank ranks, std::size_t most) {
  return each(ranks, most, [this](std::span<const Problem> problems) {
    std::optional<std::string> reason = obstacle(algorithm_, problems.front());
    if (!reason) {
      reason = verifier_.check(algorithm_.name, algorithm_.schedule, problems, every_delivery, next_seed());
    }
    return reason;
  });
}

std::optional<std::string> Properties::barrier(Rank ranks, std::size_t most) {
  const ScheduleOf schedule = [this](const Problem& problem, Rank me) {
    return in_barrier_mode(algorithm_, problem, me);
  };
  return each(ranks, most, [&](std::span<const Problem> problems) {
    auto reason = verifier_.check(algorithm_.name, schedule, problems, every_delivery, next_seed());
    for (Rank held_back = 0; !reason && ranks > 1 && held_back < ranks; ++held_back) {
      reason = verifier_.check_barrier(algorithm_.name, schedule, problems, held_back, next_seed());
    }
    if (reason) *reason += " in barrier mode";
    return reason;
  });
}

std::optional<std::string> Properties::rounds(Rank ranks, std::size_t most) {
  return each(ranks, most, [this](std::span<const Problem> problems) {
    auto fault = fault_of_rounds(algorithm_, problems);
    if (fault) *fault = std::string(algorithm_.name) + " " + to_string(problems.front()) + ", " + *fault;
    return fault;
  });
}

std::optional<std::string> Properties::cost(Rank ranks, Count most_effort) {
  const bool slow = algorithm_.traits.slow_to_make;
  if (slow && ranks > 1500) return {};  // minutes
  const std::vector<Problem> problems = even_problems(algorithm_, ranks);
  Count effort = 0;
  for (std::size_t i = 0; i < problems.size() && effort < most_effort; ++i) {
    const Problem& problem = problems[(i + static_cast<std::size_t>(ranks)) % problems.size()];
    const Cost claimed = algorithm_.costs(problem);
    const Count all_rounds = (claimed.rounds + claimed.inner_rounds) * ranks;
    const Count of_this = std::max(all_rounds, claimed.messages) * (slow ? ranks : 1);
    if (of_this > too_much_effort) continue;
    ++cases_;
    effort += of_this;
    Cost counted = simulate(algorithm_, problem, Ports::duplex).cost;
    counted.overlapped = claimed.overlapped;  // not checked here: it depends on the data, not on the rounds
    counted.inner_overlapped = claimed.inner_overlapped;
    if (claimed == counted) continue;
    return std::string(algorithm_.name) + " " + to_string(problem) + ", costs " + in_words(counted) + ", not " +
           in_words(claimed);
  }
  return {};
}

}  // namespace cohort::verifier
