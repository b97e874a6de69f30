// SPDX-License-Identifier: Apache-2.0
// The lines that a job prints to standard error at its end: why the job was ended, and which processes were lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cohort {

class LastWords {
 public:
  void add(std::string line) { lines_.push_back(std::move(line)); }

  // A process is lost. The line of the first loss that ends the job also sums up the losses that follow.
  void ended_by_loss(std::string line, bool first) {
    if (first) losses_ = lines_.size();
    add(std::move(line));
  }
  void further_loss(std::uint32_t number, const std::string& line) {
    constexpr std::uint32_t named = 8;
    if (losses_ && number <= named) lines_[*losses_] += ", " + line;
  }

  std::vector<std::string> lines() const {
    std::vector<std::string> lines = lines_;
    if (losses_) lines[*losses_] += "; the job was ended";
    return lines;
  }

 private:
  std::vector<std::string> lines_;
  std::optional<std::size_t> losses_;  // index of the line that sums up the losses
};

}  // namespace cohort
