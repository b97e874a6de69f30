// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/outcomes.hpp"

#include <fmt/format.h>

#include <new>
#include <string>
#include <utility>

#include "cohort/error.hpp"
#include "mpi/core/asked_in_vain.hpp"

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

namespace {

// The first active one at or behind a place, or their number.
std::size_t next_active(std::span<Request* const> requests, std::size_t place) {
  while (place < requests.size() && !has_operation(requests[place])) ++place;
  return place;
}

Found find_ended(Request* request) {
  if (!has_operation(request)) return {};
  return {.any_active = true, .ended = request->test() ? std::optional<std::size_t>(0) : std::nullopt};
}

Found look_for_ended(std::span<Request* const> requests, AskedInVain& none_ended) {
  const std::uint64_t moment = Request::moment();
  const std::size_t first = next_active(requests, 0);
  for (std::size_t i = first; i < requests.size(); i = next_active(requests, i + 1)) {
    if (requests[i]->look()) return {.any_active = true, .ended = i};
  }
  if (first == requests.size()) return {};
  none_ended.note(requests, moment, first);
  return {.any_active = true, .ended = {}};
}

}  // namespace

Found find_ended(std::span<Request* const> requests) {
  if (requests.size() == 1) return find_ended(requests[0]);
  static thread_local AskedInVain none_ended;
  Found found{.any_active = true, .ended = {}};
  if (!none_ended.knows(requests)) found = look_for_ended(requests, none_ended);
  if (found.ended || !found.any_active) return found;
  requests[none_ended.open()]->test();  // progress for all
  return none_ended.knows(requests) ? found : look_for_ended(requests, none_ended);
}

bool all_over(std::span<Request* const> requests) {
  static thread_local AskedInVain some_open;
  const auto lost = [](const Request& ended) {
    if (!ended.error) return false;
    const int code = code_of(ended.error);
    return code == abi::err_proc_failed || code == abi::err_proc_failed_pending || code == abi::err_revoked;
  };
  bool progressed = false;
  if (some_open.knows(requests)) {
    requests[some_open.open()]->test();
    if (some_open.knows(requests)) return false;
    progressed = true;
  }
  const std::uint64_t moment = Request::moment();
  std::optional<std::size_t> open;
  for (std::size_t i = next_active(requests, 0); i < requests.size(); i = next_active(requests, i + 1)) {
    if (!requests[i]->look() && (std::exchange(progressed, true) || !requests[i]->test())) {
      if (!open) open = i;
    } else if (lost(*requests[i])) {
      return true;
    }
  }
  if (open) some_open.note(requests, moment, *open);
  return !open;
}

void check_count(int count) {
  if (count < 0)
    throw Mistake(abi::err_count, fmt::format("the number of requests is {}, but must be 0 or more", count));
}

}  // namespace cohort::mpi
