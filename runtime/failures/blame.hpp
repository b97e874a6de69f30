// What a process knows of others' mistakes and deaths: an error that follows from one of them is not its own.
#pragma once

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

namespace cohort::detail {

// By any thread, also by one that ends the process.
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

  // Not of everything, where a great many groups fail.
  bool may_tell() { return told_++ < most; }

  // Whether these are the words of an error that has one of those causes, or that has been made of such an error.
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
