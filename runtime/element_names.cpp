// SPDX-License-Identifier: Apache-2.0
// The names of element types and operators, for messages to people.
#include <array>
#include <complex>
#include <mutex>

#include "cohort/detail/elements.hpp"

namespace cohort::detail {
namespace {

// The list of names also changes when dlopen() loads or unloads a library, in any thread.
constinit std::mutex mutex;
constinit NamedCode* first = nullptr;

std::string without_prefix(std::string name) {
  constexpr std::string_view prefix = "cohort::";
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

}  // namespace

NamedCode::NamedCode(Code code, std::string_view name) : code_(code), name_(name) {
  const std::lock_guard lock(mutex);
  later_ = first;
  if (first != nullptr) first->earlier_ = this;
  first = this;
}

NamedCode::~NamedCode() {
  const std::lock_guard lock(mutex);
  (earlier_ != nullptr ? earlier_->later_ : first) = later_;
  if (later_ != nullptr) later_->earlier_ = earlier_;
}

std::string name_among_all(Code code) {
  const std::lock_guard lock(mutex);
  const NamedCode* known = first;
  while (known != nullptr && known->code_ != code) known = known->later_;
  return known != nullptr ? std::string(known->name_) : "";
}

std::string name_of_type(Code code) {
  static constexpr std::array<std::string_view, 14> names = {
      "no elements", "bool",          "unsigned char", "char",  "unsigned short", "short",       "unsigned int",
      "int",         "unsigned long", "long",          "float", "double",         "long double", "std::byte"};
  if ((code & named) != 0) {
    const std::string name = name_among_all(code);
    return name.empty() ? "a type that this program does not have" : without_prefix(name);
  }
  if ((code & located_code) != 0) return "Located<" + name_of_type(code & ~located_code) + ">";
  if ((code & complex_code) != 0) return "std::complex<" + name_of_type(code & ~complex_code) + ">";
  return code < names.size() ? std::string(names[code]) : "a type of another version of Cohort";
}

std::string name_of_operator(Code code) {
  static constexpr std::array<std::string_view, 15> names = {
      "no operator",      "Sum",   "Product", "Minimum",    "Maximum",   "MinimumAt",  "MaximumAt",
      "BitAnd",           "BitOr", "BitXor",  "LogicalAnd", "LogicalOr", "LogicalXor", "a commutative lambda",
      "an ordered lambda"};
  if (code < names.size()) return std::string(names[code]);
  const std::string name = name_among_all(code);
  return name.empty() ? "an operator that this program does not have" : without_prefix(name);
}

}  // namespace cohort::detail
