// One line on standard error that says how far a long command is: only if a person looks at it.
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

  // Any thread may call these. Nothing is written more often than the eye can follow.
  void show(const std::string& text);
  void wipe();  // before something else is written

 private:
  bool wanted_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point next_;
  std::size_t width_ = 0;
};

}  // namespace cohort
