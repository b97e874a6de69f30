// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "mpi/core/error_texts.hpp"
#include "mpi/core/mistake.hpp"

namespace cohort::mpi {
namespace {

constexpr std::size_t longest_remembered = 255;  // the smallest MPI_MAX_ERROR_STRING of the faces, less one

struct Added {
  int error_class;
  std::string text;  // none: the standard wants an empty one
};

std::mutex errors_mutex;  // guards added()

// By code; a class is a code whose class it is itself. Never destroyed: see attributes.cpp.
std::map<int, Added>& added() {
  static auto& all = *new std::map<int, Added>;
  return all;
}

std::map<int, std::string>& remembered() {
  thread_local std::map<int, std::string> texts;
  return texts;
}

int last_used() { return added().empty() ? abi::err_lastcode : added().rbegin()->first; }

// The class or code that the program has added. The caller holds the mutex.
Added& find_added(int code) {
  const auto found = added().find(code);
  if (found != added().end()) return found->second;
  throw Mistake(abi::err_arg, text_of_class(code) != nullptr
                                  ? fmt::format("the error code {} is the standard's: a program can't change it", code)
                                  : fmt::format("there is no error code {}", code));
}

// The standard wants the text to be removed first. The caller holds the mutex.
void erase(int code) {
  if (!find_added(code).text.empty())
    throw Mistake(abi::err_arg, fmt::format("the error code {} still has a text", code));
  added().erase(code);
}

int add(int error_class_or_0) {
  const int code = last_used() + 1;
  added()[code] = {error_class_or_0 != 0 ? error_class_or_0 : code, {}};
  return code;
}

}  // namespace

void remember(int code, std::string text) {
  if (text.size() > longest_remembered) text.resize(longest_remembered);
  remembered()[code] = std::move(text);
}

void error_class(int errorcode, int& errorclass) {
  if (text_of_class(errorcode) != nullptr) {
    errorclass = errorcode;
    return;
  }
  const std::lock_guard lock(errors_mutex);
  errorclass = find_added(errorcode).error_class;
}

void error_string(int errorcode, std::string& string) {
  if (const char* const general = text_of_class(errorcode)) {
    const auto latest = remembered().find(errorcode);
    string = latest != remembered().end() && errorcode != abi::success ? latest->second : general;
    return;
  }
  const std::lock_guard lock(errors_mutex);
  string = find_added(errorcode).text;
}

void add_error_class(int& errorclass) {
  const std::lock_guard lock(errors_mutex);
  errorclass = add(0);
}

void add_error_code(int errorclass, int& errorcode) {
  const std::lock_guard lock(errors_mutex);
  if (text_of_class(errorclass) == nullptr && find_added(errorclass).error_class != errorclass) {
    throw Mistake(abi::err_arg, fmt::format("{} is an error code, not a class", errorclass));
  }
  errorcode = add(errorclass);
}

void add_error_string(int errorcode, std::string_view string) {
  const std::lock_guard lock(errors_mutex);
  find_added(errorcode).text = string.substr(0, abi::max_error_string - 1);
}

void remove_error_class(int errorclass) {
  const std::lock_guard lock(errors_mutex);
  if (find_added(errorclass).error_class != errorclass) {
    throw Mistake(abi::err_arg, fmt::format("{} is an error code, not a class", errorclass));
  }
  const auto codes =
      std::ranges::count(added(), errorclass, [](const auto& entry) { return entry.second.error_class; });
  if (codes > 1) throw Mistake(abi::err_arg, fmt::format("the error class {} still has codes", errorclass));
  erase(errorclass);
}

void remove_error_code(int errorcode) {
  const std::lock_guard lock(errors_mutex);
  if (find_added(errorcode).error_class == errorcode) {
    throw Mistake(abi::err_arg, fmt::format("{} is an error class, not a code", errorcode));
  }
  erase(errorcode);
}

void remove_error_string(int errorcode) {
  const std::lock_guard lock(errors_mutex);
  find_added(errorcode).text.clear();
}

int last_used_code() {
  const std::lock_guard lock(errors_mutex);
  return last_used();
}

}  // namespace cohort::mpi
