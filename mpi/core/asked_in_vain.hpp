// SPDX-License-Identifier: Apache-2.0
// Programs ask again and again whether any of some requests has ended, or whether all have. As long as no request at
// all has started or ended, the answer about the same requests is the same, and none of them is looked at.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mpi/core/request.hpp"

namespace cohort::mpi {

class AskedInVain {
 public:
  // Whether the last answer about these requests, no, is still right.
  bool knows(std::span<Request* const> requests) const {
    if (requests.size() != requests_.size()) return false;
    for (std::size_t i = 0; i < requests.size(); ++i) {  // the standard's equal() calls a library for this
      if (requests[i] != requests_[i]) return false;
    }
    return moment_ == Request::moment();
  }
  // The answer is no. `moment`: Request::moment() before they were looked at; `open`: the place of one that goes on.
  void note(std::span<Request* const> requests, std::uint64_t moment, std::size_t open) {
    const auto depends_on_more = [](const Request* request) { return request != nullptr && request->over; };
    moment_ = std::ranges::any_of(requests, depends_on_more) ? never : moment;
    requests_.assign(requests.begin(), requests.end());
    open_ = open;
  }
  // The place of a request that went on when the answer was noted.
  std::size_t open() const { return open_; }

 private:
  static constexpr std::uint64_t never = 0;  // moments begin at 1

  std::uint64_t moment_ = never;
  std::vector<Request*> requests_;
  std::size_t open_ = 0;
};

}  // namespace cohort::mpi
