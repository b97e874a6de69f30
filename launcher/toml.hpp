// SPDX-License-Identifier: Apache-2.0
// Includes toml++ without its assertions. toml++ asserts unchecked conditions, such as that a table's header begins
// with a letter. With assertions, a mistake in a user's file would abort the program. With NDEBUG, toml++ lets clang
// assume that the conditions hold. With an empty TOML_ASSERT and no NDEBUG, toml++ reports the mistake itself.
#pragma once

#include <string>

#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expression) static_assert(true)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace cohort {

// Throws toml::parse_error. Replaces each byte beyond ASCII by '?': our keys and values have no such bytes, and
// toml++'s behaviour for some of them is undefined.
toml::table parse_toml(std::string text);

}  // namespace cohort
