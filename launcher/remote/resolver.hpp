// SPDX-License-Identifier: Apache-2.0
// Resolves the names of many hosts at once, without blocking the event loop.
#pragma once

#include <asio/io_context.hpp>
#include <functional>
#include <string>
#include <vector>

#include "launcher/network/interfaces.hpp"

namespace cohort {

// Calls `done` in the event loop within 5 s, with one answer for each name. A name without an answer by then counts as
// unknown.
void resolve_all(asio::io_context& loop, const std::vector<std::string>& names,
                 std::function<void(std::vector<Resolved>)> done);

}  // namespace cohort
