// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cohort/error.hpp"
#include "cohort/types.hpp"

namespace cohort {

std::string_view name_of(Operation operation) {
  static constexpr std::array<std::string_view, 19> names = {
      "bcast",          "reduce", "combine",          "scatter", "gather",     "concat", "index",
      "reduce_scatter", "prefix", "exclusive_prefix", "shift",   "sync",       "send",   "receive",
      "exchange",       "group",  "partition",        "leave",   "receive_any"};
  return names.at(static_cast<std::size_t>(operation));
}

std::string_view name_of(ErrorCode code) {
  static constexpr std::array<std::string_view, 10> names = {
      "argument", "truncated", "mismatch", "peer_lost", "timeout", "deadlock", "left", "job", "revoked", "internal"};
  return names.at(static_cast<std::size_t>(code));
}

std::string to_string(const GroupId& id) {
  std::string text = "(" + std::to_string(id.counter) + "," + std::to_string(id.pid) + ")";
  if (id.derivation != 0) text += "/" + std::to_string(id.derivation);
  return text;
}

}  // namespace cohort
