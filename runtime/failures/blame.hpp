// SPDX-License-Identifier: Apache-2.0
// The mistakes and deaths of other processes that this process knows of. An error that follows from one of them is not
// its own.
#pragma once

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

namespace cohort::detail {

// By any thread, also by a thread that ends the process.
class Blame {
 public:
  void note_another(const std::string& cause) {
    const std::lock_guard lock(mutex_);
    if (!cause.empty() && causes_.size() < most) causes_.push_back(cause);
  }

  bool knows_of_another() const {
    const std::lock_guard lock(mutex_);
    return !causes_.empty();
  }

  // Limits the reports, because a great many groups may fail.
  bool may_tell() { return told_++ < most; }

  // Whether the words contain one of the causes, so that the error has this cause or was made from such an error.
  bool names_another(const std::string& words) const {
    const std::lock_guard lock(mutex_);
    return std::ranges::any_of(causes_, [&](const std::string& cause) { return words.find(cause) != words.npos; });
  }

 private:
  static constexpr std::size_t most = 64;
  std::size_t told_ = 0;
  mutable std::mutex mutex_;
  std::vector<std::string> causes_;
};

}  // namespace cohort::detail
