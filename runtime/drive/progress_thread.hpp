// SPDX-License-Identifier: Apache-2.0
// An option of the job: a thread that drives started operations while the program computes.
//
// It drives only while a started operation is not complete and no thread of the program drives, and gives way to a
// thread that waits. So a program that starts no operations pays nothing for it, and blocking calls wait as they do
// without it. It sleeps until there is something to do instead of spinning, because the cores are for the program.
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
