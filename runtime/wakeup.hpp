// SPDX-License-Identifier: Apache-2.0
// Lets one thread wake another that waits for descriptors.
#pragma once

namespace cohort::detail {

class Wakeup {
 public:
  Wakeup();  // throws Error (job) if no descriptor can be had
  ~Wakeup();
  Wakeup(const Wakeup&) = delete;
  Wakeup& operator=(const Wakeup&) = delete;

  int descriptor() const { return descriptor_; }  // readable from set() to clear()
  void set();
  void clear();

 private:
  const int descriptor_;
};

}  // namespace cohort::detail
