// SPDX-License-Identifier: Apache-2.0
#include "launcher/network/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cohort {
namespace {

constexpr double alike = 4;  // the highest ratio by the lowest: more misleads the choice between algorithms

Verdict verdict_on_place(const std::string& where, std::vector<CheckedTime> checks) {
  std::ranges::sort(checks, {}, &CheckedTime::ratio);
  const std::size_t lucky = checks.size() / 10;
  const CheckedTime &least = checks[lucky], &most = checks[checks.size() - 1 - lucky];
  if (least.ratio > 0 && most.ratio <= alike * least.ratio) {
    return {true, fmt::format(
                      "{}: believe it. Most measured times are {:.2f} to {:.2f} of the predicted ones, which is alike "
                      "enough to choose between algorithms.",
                      where, least.ratio, most.ratio)};
  }
  return {false,
          fmt::format("{}: measure again. {} takes {:.2f} of the predicted time, but {} {:.2f}: more than {:g} times "
                      "apart. Something else used the hosts or the network. If it stays so when nothing does, "
                      "leave this part of the file out, and compare algorithms with cohort bench --algorithm all.",
                      where, least.what, least.ratio, most.what, most.ratio, alike)};
}

}  // namespace

Verdict verdict_on(const std::vector<CheckedTime>& checks) {
  Verdict all{true, ""};
  for (const auto& [place, where] : {std::pair{"within_host", "Within a host"}, {"between_hosts", "Between hosts"}}) {
    std::vector<CheckedTime> here;
    std::ranges::copy_if(checks, std::back_inserter(here), [&](const CheckedTime& one) { return one.place == place; });
    if (here.empty()) continue;
    const Verdict one = verdict_on_place(where, here);
    all.believable = all.believable && one.believable;
    all.words += (all.words.empty() ? "" : "\n") + one.words;
  }
  return all;
}

}  // namespace cohort
