// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/info_functions.hpp"

#include <fmt/format.h>

#include "mpi/core/mistake.hpp"

namespace cohort::mpi {
namespace {

std::string_view checked_key(std::string_view key) {
  check(!key.empty(), abi::err_info_key, "the key of a hint is empty");
  if (key.size() < abi::max_info_key) return key;
  throw Mistake(abi::err_info_key, fmt::format("the key of a hint has {} characters; at most {} are allowed",
                                               key.size(), abi::max_info_key - 1));
}

Info& changeable(Info& info) {
  check(!info.predefined, abi::err_info, "MPI_INFO_ENV can't be changed or freed");
  return info;
}

// Returns null if the key is not there.
const std::string* look_up(Info& info, std::string_view key, int& flag) {
  const std::string* const value = info.get(checked_key(key));
  flag = value != nullptr ? 1 : 0;
  return value;
}

}  // namespace

void info_create(Info*& info) { info = new Info; }

void info_create_env(int /*argc*/, char** /*argv*/, Info*& info) { info_dup(Info::environment(), info); }

void info_dup(Info& info, Info*& copy) {
  copy = new Info;
  copy->assign(info);
}

void info_free(Info*& info) {
  changeable(*info);
  free_handle(info);
}

void info_set(Info& info, std::string_view key, std::string_view value) {
  checked_key(key);
  if (value.size() >= abi::max_info_val) {
    throw Mistake(abi::err_info_value, fmt::format("the value of the hint {} has {} characters; at most {} are allowed",
                                                   key, value.size(), abi::max_info_val - 1));
  }
  changeable(info).set(key, value);
}

void info_delete(Info& info, std::string_view key) {
  if (changeable(info).remove(checked_key(key))) return;
  throw Mistake(abi::err_info_nokey, fmt::format("there is no hint with the key {}", key));
}

void info_get(Info& info, std::string_view key, int valuelen, std::string& value, int& flag) {
  check(valuelen >= 0, abi::err_arg, "the length of a value is negative");
  if (const std::string* const found = look_up(info, key, flag)) {
    value = found->substr(0, static_cast<std::size_t>(valuelen));
  }
}

void info_get_valuelen(Info& info, std::string_view key, int& valuelen, int& flag) {
  if (const std::string* const found = look_up(info, key, flag)) valuelen = static_cast<int>(found->size());
}

void info_get_string(Info& info, std::string_view key, int& buflen, std::string& value, int& flag) {
  check(buflen >= 0, abi::err_arg, "the room for a value is negative");
  if (const std::string* const found = look_up(info, key, flag)) {
    if (buflen > 0) value = found->substr(0, static_cast<std::size_t>(buflen) - 1);
    buflen = static_cast<int>(found->size()) + 1;
  }
}

void info_get_nkeys(Info& info, int& nkeys) { nkeys = static_cast<int>(info.entries().size()); }

void info_get_nthkey(Info& info, int n, std::string& key) {
  const auto& entries = info.entries();
  if (n < 0 || static_cast<std::size_t>(n) >= entries.size()) {
    throw Mistake(abi::err_arg, fmt::format("there is no hint number {}: there are {}, from 0", n, entries.size()));
  }
  key = entries[static_cast<std::size_t>(n)].first;
}

}  // namespace cohort::mpi
