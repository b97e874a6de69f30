// An option of the job: a thread beside the program's own that drives what was started while the program computes.
//
// It drives only while something that was started is not complete and no thread of the program does, and gives way to
// one that waits. So a program that starts nothing pays nothing for it, and calls that block wait as they do without
// it. It never looks again and again, but sleeps until there is something to do: the cores are for the program.
#pragma once

#include <thread>

namespace cohort::detail {

class Driver;

class ProgressThread {
 public:
  // Throws Error(job) if the system gives no thread.
  explicit ProgressThread(Driver& driver);
  ~ProgressThread();
  ProgressThread(const ProgressThread&) = delete;

 private:
  Driver& driver_;
  std::thread thread_;
};

}  // namespace cohort::detail
