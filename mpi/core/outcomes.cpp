// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/outcomes.hpp"

#include <fmt/format.h>

#include <new>
#include <string>
#include <utility>

#include "cohort/error.hpp"

namespace cohort::mpi {
namespace {

int code_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::argument:
      return abi::err_arg;
    case ErrorCode::truncated:
      return abi::err_truncate;
    case ErrorCode::peer_lost:
      return abi::err_proc_failed;
    case ErrorCode::revoked:
      return abi::err_revoked;
    case ErrorCode::internal:
      return abi::err_intern;
    case ErrorCode::mismatch:
    case ErrorCode::timeout:
    case ErrorCode::deadlock:
    case ErrorCode::left:
    case ErrorCode::job:
      return abi::err_other;
  }
  return abi::err_unknown;
}

// A function of the program has returned this.
void check_callback(int code, const char* which) {
  if (code != abi::success)
    throw Mistake(code, fmt::format("the {} function of a generalized request returned {}", which, code));
}

}  // namespace

int code_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Mistake& mistake) {
    return mistake.code();
  } catch (const Error& of_runtime) {
    return code_of(of_runtime.code());
  } catch (const std::bad_alloc&) {
    return abi::err_no_mem;
  } catch (...) {
    return abi::err_intern;
  }
}

std::string text_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& known) {
    return known.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

const Status& status_of(Request& ended) {
  if (const Request::Generalized* const generalized = ended.generalized.get()) {
    ended.status = {};
    const QueryFunction& query = generalized->query;
    ended.error = nullptr;
    try {
      check_callback(query.call(query.function, generalized->extra_state, ended.status), "query");
    } catch (...) {
      ended.error = std::current_exception();
    }
  }
  ended.status.error = ended.error ? code_of(ended.error) : abi::success;
  return ended.status;
}

std::optional<RequestMistake> take(Request*& ended, Status* status) {
  Request& request = *ended;
  Status known = status_of(request);
  if (request.generalized) {
    try {
      free_state(*request.generalized);
    } catch (const Mistake& mistake) {  // the last callback's error is the one to return
      request.error = std::current_exception();
      known.error = mistake.code();
    }
  }
  report(known, status);
  std::optional<RequestMistake> mistake;
  if (request.error) mistake.emplace(known.error, text_of(request.error), request.communicator);
  if (request.persistent) {
    request.active = false;
  } else {
    ended = nullptr;
    request.release();
  }
  return mistake;
}

void free_state(Request::Generalized& generalized) {
  check_callback(generalized.free.call(generalized.free.function, generalized.extra_state), "free");
}

Found find_ended(std::span<Request* const> requests) {
  Found found;
  Request* first = nullptr;
  const auto look = [&] {
    for (std::size_t i = 0; i < requests.size() && !found.ended; ++i) {
      if (!has_operation(requests[i])) continue;
      if (first == nullptr) first = requests[i];
      if (requests[i]->look()) found.ended = i;
    }
  };
  look();
  found.any_active = first != nullptr;
  if (!found.any_active || found.ended) return found;
  first->test();  // progress for all
  look();
  return found;
}

bool all_over(std::span<Request* const> requests) {
  const auto lost = [](const Request& ended) {
    if (!ended.error) return false;
    const int code = code_of(ended.error);
    return code == abi::err_proc_failed || code == abi::err_proc_failed_pending || code == abi::err_revoked;
  };
  bool all = true;
  bool progressed = false;
  for (Request* const request : requests) {
    if (!has_operation(request)) continue;
    if (!request->look() && (std::exchange(progressed, true) || !request->test())) {
      all = false;
    } else if (lost(*request)) {
      return true;
    }
  }
  return all;
}

void check_count(int count) {
  if (count < 0)
    throw Mistake(abi::err_count, fmt::format("the number of requests is {}, but must be 0 or more", count));
}

}  // namespace cohort::mpi
