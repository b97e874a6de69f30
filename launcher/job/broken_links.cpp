// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/broken_links.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace cohort {

std::optional<Accusation> worst(const std::vector<Accusation>& accusations) {
  std::map<Pid, std::set<Pid>> broken, accusers;
  for (const Accusation& accusation : accusations) {
    broken[accusation.of].insert(accusation.by);
    broken[accusation.by].insert(accusation.of);
    accusers[accusation.of].insert(accusation.by);
  }
  // A process that receives nonsense closes the connection, so the sender of the nonsense accuses it in turn.
  const auto misbehaved = [](const Accusation& accusation) { return accusation.cause.starts_with("it sent"); };
  const auto weight = [&](const Accusation& accusation) {
    return std::tuple(broken[accusation.of].size(), accusers[accusation.of].size(), misbehaved(accusation),
                      accusation.of);
  };
  const auto found = std::ranges::max_element(accusations, {}, weight);
  return found == accusations.end() ? std::nullopt : std::optional(*found);
}

std::optional<std::uint32_t> BrokenLinks::ask() {
  bool any = false;
  for (Accusation& one : accusations_) {
    if (one.question > 0) continue;
    if (!std::exchange(any, true)) ++questions_;
    one.question = questions_;
  }
  return any ? std::optional(questions_) : std::nullopt;
}

void BrokenLinks::forget(const std::function<bool(Pid)>& is_gone) {
  std::erase_if(accusations_, [&](const Accusation& one) { return is_gone(one.by) || is_gone(one.of); });
}

std::optional<Accusation> BrokenLinks::judge(const std::function<bool(const Accusation&)>& is_open) const {
  std::vector<Accusation> clear = accusations_;
  std::set<Pid> unclear;
  const auto wait_for = [&](const Accusation& one) {
    const bool waits = one.question == 0 || is_open(one) || unclear.contains(one.by) || unclear.contains(one.of);
    if (waits) unclear.insert({one.by, one.of});
    return waits;
  };
  while (std::erase_if(clear, wait_for) > 0) {
  }
  return worst(clear);
}

}  // namespace cohort
