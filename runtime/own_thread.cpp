#include "runtime/own_thread.hpp"

#include <pthread.h>

#include <csignal>
#include <string>
#include <system_error>
#include <utility>

#include "cohort/error.hpp"

namespace cohort::detail {

std::thread start_own_thread(const char* name, std::function<void()> run) {
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread;
  std::string failure;
  try {
    thread = std::thread(std::move(run));
  } catch (const std::system_error& error) {
    failure = error.what();
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!failure.empty()) throw Error(ErrorCode::job, "joining the job: no thread can be had: " + failure);
  ::pthread_setname_np(thread.native_handle(), name);
  return thread;
}

}  // namespace cohort::detail
