// Includes toml++ without its assertions. toml++ asserts things that nothing has checked, such as that a table's header
// begins with a letter. With assertions, a mistake in a user's file would abort the program. Compiled out in the usual
// way, clang would assume that they hold. Without either, toml++ finds the mistake itself.
#pragma once

#include <string>

#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expression) static_assert(true)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace cohort {

// Throws toml::parse_error. Each byte beyond ASCII becomes a '?': no key or value of our files has any, and toml++'s
// behaviour for some of them is undefined.
toml::table parse_toml(std::string text);

}  // namespace cohort
