// SPDX-License-Identifier: Apache-2.0
// Errors, by code and text.
#include "c/guard.hpp"

#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <set>
#include <utility>

#include "cohort/error.hpp"
#include "runtime/calls/where.hpp"

namespace cohort::c {
namespace {

constexpr cohort_id no_group{0, -1, 0};

struct LatestError {
  std::exception_ptr exception;
  ErrorContext context;
  std::string operation;
  std::string text;
  cohort_error fields{COHORT_OK, -1, -1, no_group, "", "", "", ""};
};

thread_local LatestError latest;

// The line of this thread's next call.
struct Here {
  const char* file = nullptr;
  unsigned line = 0;
};

thread_local Here here;

// The same name, in memory that lives on: an operation may need it after the caller's memory is gone.
const char* kept_name(const char* file) {
  thread_local const char* last = "";
  if (std::strcmp(last, file) == 0) return last;
  static std::mutex mutex;
  static auto& names = *new std::set<std::string>;  // never destroyed: threads may outlive main()
  const std::lock_guard lock(mutex);
  return last = names.emplace(file).first->c_str();
}

int code_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::argument:
      return COHORT_ERROR_ARGUMENT;
    case ErrorCode::truncated:
      return COHORT_ERROR_TRUNCATED;
    case ErrorCode::mismatch:
      return COHORT_ERROR_MISMATCH;
    case ErrorCode::peer_lost:
      return COHORT_ERROR_PEER_LOST;
    case ErrorCode::timeout:
      return COHORT_ERROR_TIMEOUT;
    case ErrorCode::deadlock:
      return COHORT_ERROR_DEADLOCK;
    case ErrorCode::left:
      return COHORT_ERROR_LEFT;
    case ErrorCode::job:
      return COHORT_ERROR_JOB;
    case ErrorCode::revoked:
      return COHORT_ERROR_REVOKED;
    case ErrorCode::internal:
      return COHORT_ERROR_INTERNAL;
  }
  return COHORT_ERROR_INTERNAL;
}

void keep(int code, std::string text, ErrorContext context) {
  latest.context = std::move(context);
  latest.operation = latest.context.operation ? name_of(*latest.context.operation) : "";
  latest.text = std::move(text);
  const std::optional<GroupId>& group = latest.context.group;
  latest.fields = {code,
                   latest.context.rank,
                   latest.context.pid,
                   group ? cohort_id{group->counter, group->pid, group->derivation} : no_group,
                   latest.operation.c_str(),
                   latest.context.host.c_str(),
                   latest.context.where.c_str(),
                   latest.text.c_str()};
}

}  // namespace

Where place_of_call(const char* function) {
  const Here named = std::exchange(here, Here{});
  return named.file != nullptr ? Where{named.file, named.line} : Where{function, 0};
}

int keep_error(const Where& where) noexcept {
  latest.exception = std::current_exception();
  ErrorContext context;
  context.where = to_string(where);
  try {
    throw;
  } catch (const Error& error) {
    context.operation = error.operation();
    context.group = error.group();
    context.rank = error.rank();
    context.pid = error.pid();
    context.host = error.host();
    if (!error.where().empty()) context.where = error.where();
    keep(code_of(error.code()), error.what(), std::move(context));
  } catch (const std::bad_alloc&) {
    const std::string text = "there is no memory left (called at " + context.where + ")";
    keep(COHORT_ERROR_INTERNAL, text, std::move(context));
  } catch (const std::exception& exception) {
    const std::string text = std::string(exception.what()) + " (called at " + context.where + ")";
    keep(COHORT_ERROR_INTERNAL, text, std::move(context));
  } catch (...) {
    const std::string text = "an exception that says nothing (called at " + context.where + ")";
    keep(COHORT_ERROR_INTERNAL, text, std::move(context));
  }
  return latest.fields.code;
}

void refuse(const Where& where, const std::string& what) {
  ErrorContext context;
  context.where = to_string(where);
  const std::string text = what + " (called at " + context.where + ")";
  throw Error(ErrorCode::argument, text, std::move(context));
}

}  // namespace cohort::c

using cohort::ErrorCode;

const cohort_error* cohort_last_error() { return &cohort::c::latest.fields; }

const char* cohort_error_name(int code) {
  if (code == COHORT_OK) return "ok";
  for (int known = 0; known <= static_cast<int>(ErrorCode::internal); ++known) {
    const auto error = static_cast<ErrorCode>(known);
    if (cohort::c::code_of(error) == code) return cohort::name_of(error).data();
  }
  return "unknown";
}

void cohort_here(const char* file, int32_t line) {
  try {
    cohort::c::here = {cohort::c::kept_name(file), static_cast<unsigned>(line)};
  } catch (...) {  // without memory for the name, the function's name is told
    cohort::c::here = {};
  }
}

// Nothing catches the exception: the runtime tells the launcher of it, and ends the process.
void cohort_must(int code) {
  if (code == COHORT_OK) return;
  const std::string foreign = "cohort_must: the error " + std::to_string(code) + " is not of this thread";
  [&]() noexcept {
    std::rethrow_exception(cohort::c::latest.exception
                               ? cohort::c::latest.exception
                               : std::make_exception_ptr(cohort::Error(ErrorCode::internal, foreign)));
  }();
}

const char* cohort_version() { return COHORT_VERSION; }
