// SPDX-License-Identifier: Apache-2.0
// The progress of a long command, on one line of standard error, if that is a terminal.
#pragma once

#include <chrono>
#include <mutex>
#include <string>

namespace cohort {

class Progress {
 public:
  Progress();
  ~Progress();  // wipes the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Any thread may call these. show() skips texts that follow too fast for the eye.
  void show(const std::string& text);
  void wipe();  // call it before other output

 private:
  bool wanted_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point next_;
  std::size_t width_ = 0;
};

}  // namespace cohort
