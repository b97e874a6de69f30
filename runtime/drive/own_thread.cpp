// SPDX-License-Identifier: Apache-2.0
#include "runtime/drive/own_thread.hpp"

#include <pthread.h>

#include <string>
#include <system_error>
#include <utility>

#include "cohort/error.hpp"
#include "runtime/blocked_signals.hpp"

namespace cohort::detail {

std::thread start_own_thread(const char* name, std::function<void()> run) {
  const BlockedSignals blocked;
  std::thread thread;
  std::string failure;
  try {
    thread = std::thread(std::move(run));
  } catch (const std::system_error& error) {
    failure = error.what();
  }
  if (!failure.empty()) throw Error(ErrorCode::job, "joining the job: no thread can be had: " + failure);
  ::pthread_setname_np(thread.native_handle(), name);
  return thread;
}

}  // namespace cohort::detail
