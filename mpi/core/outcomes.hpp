// SPDX-License-Identifier: Apache-2.0
// Hands the outcomes of ended operations over to the program.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "mpi/core/completion.hpp"

namespace cohort::mpi {

// Whether there is an operation to wait for. Null and inactive requests have none.
inline bool has_operation(const Request* request) { return request != nullptr && request->active; }

// Of an ended operation; `error` included. Asks the program for the status of a generalized request.
const Status& status_of(Request& ended);

// States the status. Frees the request, or makes it inactive if it is persistent. Returns the operation's error.
std::optional<RequestMistake> take(Request*& ended, Status* status);

// Calls the program's free function of a generalized request. Throws Mistake with the code that it returns.
void free_state(Request::Generalized& generalized);

inline Status* nth(Status* statuses, std::size_t place) { return statuses == nullptr ? nullptr : statuses + place; }

// Looks at the requests in turn.
struct Found {
  bool any_active = false;
  std::optional<std::size_t> ended;  // the place of the first one
};
// Makes one round of progress, unless one has ended before.
Found find_ended(std::span<Request* const> requests);

// Whether all active ones have ended. Also true if one has ended because a process is lost: the others may never end.
// Makes at most one round of progress.
bool all_over(std::span<Request* const> requests);

void check_count(int count);

}  // namespace cohort::mpi
