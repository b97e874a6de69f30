// SPDX-License-Identifier: Apache-2.0
#include "runtime/drive/progress_thread.hpp"

#include "runtime/drive/driver.hpp"
#include "runtime/drive/own_thread.hpp"

namespace cohort::detail {

ProgressThread::ProgressThread(Driver& driver)
    : driver_(driver), thread_(start_own_thread("cohort progress", [this] { driver_.drive_what_was_started(); })) {}

ProgressThread::~ProgressThread() {
  driver_.end_progress_thread();
  thread_.join();
}

}  // namespace cohort::detail
