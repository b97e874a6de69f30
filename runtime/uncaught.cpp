// SPDX-License-Identifier: Apache-2.0
#include "runtime/uncaught.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "cohort/error.hpp"
#include "runtime/inert.hpp"
#include "runtime/runtime.hpp"

namespace cohort::detail {
namespace {

constexpr int quiet_status = 128 + SIGABRT;  // the status that a shell reports for an abort

std::terminate_handler terminate_before = nullptr;
std::weak_ptr<Runtime> known_runtime;  // written once, before other threads can throw

// The text of an exception and of the exceptions nested in it.
struct LastWords {
  std::string text;
  bool any = false;
  bool is_error = false;        // an exception of type Error is among them
  bool launcher_knows = false;  // it is about the loss of another process, or about a deadlock
};

void read(const std::exception& exception, LastWords& words) {
  words.text += (words.text.empty() ? "" : ": ") + std::string(exception.what());
  if (const auto* error = dynamic_cast<const Error*>(&exception)) {
    words.is_error = true;
    words.launcher_knows |= error->code() == ErrorCode::deadlock || (error->failure() && error->failure()->number > 0);
  }
  try {
    std::rethrow_if_nested(exception);
  } catch (const std::exception& inner) {
    read(inner, words);
  } catch (...) {  // the text of the outer exceptions is there
  }
}

LastWords last_words() {
  LastWords words;
  const std::exception_ptr exception = std::current_exception();
  if (!exception) return words;
  words.any = true;
  try {
    std::rethrow_exception(exception);
  } catch (const std::exception& known) {
    read(known, words);
  } catch (...) {
    words.text = "it is no std::exception";
  }
  return words;
}

void end_as_bystander_or_tell() {
  static std::atomic<bool> ends = false;
  if (is_fork() || ends.exchange(true)) return;  // another thread's exception may come second
  const LastWords words = last_words();
  if (!words.any) return;
  const std::shared_ptr<Runtime> runtime = known_runtime.lock();
  if (runtime) runtime->tell_uncaught(words.text, words.is_error);
  const bool follows =
      words.launcher_knows ||
      (runtime && (words.is_error ? runtime->blame().names_another(words.text) : runtime->blame().knows_of_another()));
  if (!follows) return;
  // Nobody else prints an exception that is not an Error.
  if (!words.is_error)
    fmt::print(stderr, "cohort: an exception that nobody caught ends this process: {}\n", words.text);
  ::_exit(quiet_status);
}

[[noreturn]] void on_terminate() {
  try {
    end_as_bystander_or_tell();
  } catch (...) {  // the original exception matters more
  }
  if (terminate_before != nullptr) terminate_before();
  std::abort();
}

}  // namespace

void end_quietly_as_bystander() {
  if (std::get_terminate() != on_terminate) terminate_before = std::set_terminate(on_terminate);
}

void tell_uncaught_by(const std::shared_ptr<Runtime>& runtime) { known_runtime = runtime; }

}  // namespace cohort::detail
