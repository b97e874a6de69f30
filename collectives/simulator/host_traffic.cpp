// SPDX-License-Identifier: Apache-2.0
#include "collectives/simulator/host_traffic.hpp"

#include <algorithm>

namespace cohort::simulator {

HostTraffic::HostTraffic(const Problem& problem)
    : ranks_per_host_(ranks_per_host(problem)),
      hosts_(is_known() ? problem.ranks / ranks_per_host_ : 0),
      ranks_(is_known() ? problem.ranks : 0),
      inside_(is_known() ? problem.ranks : 0) {}

void HostTraffic::Ends::clear() {
  std::ranges::fill(out, 0);
  std::ranges::fill(in, 0);
}

void HostTraffic::Ends::add(Rank from, Rank to, Count elements) {
  out[static_cast<std::size_t>(from)] += elements;
  in[static_cast<std::size_t>(to)] += elements;
}

Count HostTraffic::Ends::most() const {
  return std::max(*std::ranges::max_element(out), *std::ranges::max_element(in));
}

void HostTraffic::look(std::span<const RoundMoves* const> parts) {
  for (Ends* ends : {&hosts_, &ranks_, &inside_}) ends->clear();
  between_ = inner_ = false;
  for (const RoundMoves* part : parts) {
    for (const Move& move : part->sends) {
      if (is_inner(move)) {
        inner_ = true;
        inside_.add(move.from, move.to, move.elements);
      } else {
        between_ = true;
        ranks_.add(move.from, move.to, move.elements);
        hosts_.add(move.from / ranks_per_host_, move.to / ranks_per_host_, move.elements);
      }
    }
  }
}

double HostTraffic::elements_on_link(const Move& move) const {
  if (move.elements == 0) return 0;
  const auto at = [](const std::vector<Count>& counts, Rank place) {
    return static_cast<double>(counts[static_cast<std::size_t>(place)]);
  };
  const double leaving = at(hosts_.out, move.from / ranks_per_host_) / at(ranks_.out, move.from);
  const double arriving = at(hosts_.in, move.to / ranks_per_host_) / at(ranks_.in, move.to);
  return static_cast<double>(move.elements) * std::max(leaving, arriving);
}

Count HostTraffic::most_between() const { return hosts_.most(); }
Count HostTraffic::most_inner() const { return inside_.most(); }

}  // namespace cohort::simulator
