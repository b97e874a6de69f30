// SPDX-License-Identifier: Apache-2.0
#include "launcher/commands/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>

namespace cohort {

Progress::Progress() : wanted_(::isatty(STDERR_FILENO) == 1), next_(std::chrono::steady_clock::now()) {}

Progress::~Progress() { wipe(); }

void Progress::show(const std::string& text) {
  static constexpr std::chrono::milliseconds pause{100};
  if (!wanted_) return;
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + pause;
  std::cerr << '\r' << text << std::string(width_ - std::min(width_, text.size()), ' ') << std::flush;
  width_ = text.size();
}

void Progress::wipe() {
  const std::lock_guard lock(mutex_);
  if (width_ == 0) return;
  std::cerr << '\r' << std::string(width_, ' ') << '\r' << std::flush;
  width_ = 0;
}

}  // namespace cohort
