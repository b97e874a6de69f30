// SPDX-License-Identifier: Apache-2.0
// Transports of which each takes half of its peers by one of two.
#pragma once

#include <utility>

#include "runtime/transport/routed/routed_transport.hpp"

namespace cohort::testing {

// For each rank. Two of them go by the first where the sum of their numbers is even.
inline std::vector<std::unique_ptr<Transport>> route_half(std::vector<std::unique_ptr<Transport>> first,
                                                          std::vector<std::unique_ptr<Transport>> second) {
  std::vector<std::unique_ptr<Transport>> routed;
  for (std::size_t me = 0; me < first.size(); ++me) {
    std::vector<std::size_t> route(first.size());
    for (std::size_t pid = 0; pid < route.size(); ++pid) route[pid] = (me + pid) % 2;
    std::vector<std::unique_ptr<Transport>> both;
    both.push_back(std::move(first[me]));
    both.push_back(std::move(second[me]));
    routed.push_back(make_routed_transport(std::move(both), std::move(route)));
  }
  return routed;
}

}  // namespace cohort::testing
