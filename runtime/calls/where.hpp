// SPDX-License-Identifier: Apache-2.0
// The line of a user's call, for messages.
#pragma once

#include <string>
#include <string_view>

#include "cohort/detail/call.hpp"

namespace cohort {

// "loop.cpp:9"
inline std::string to_string(const Where& where) {
  const std::string_view file = where.file;
  if (where.line == 0) return file.empty() ? "the end of its Process" : std::string(file);
  return std::string(file.substr(file.find_last_of('/') + 1)) + ":" + std::to_string(where.line);
}

namespace detail {

// The place of a Call or a Letter: its line, or the name of the call in another interface.
template <class AnyCall>
std::string place_of(const AnyCall& call) {
  return call.as != nullptr ? call.as : to_string(call.where);
}

}  // namespace detail

}  // namespace cohort
