// TOML for whatever users may write. toml++ asserts some things that nothing has checked, such as that a table's header
// begins with a letter: with assertions a mistake in a file would end the program, and where they are compiled out,
// clang takes them for granted. Without either it finds the mistake itself.
#pragma once

#include <string>

#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expression) static_assert(true)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace cohort {

// Throws toml::parse_error. Each byte beyond ASCII becomes a '?': no key and no value of our files has any, and what
// toml++ does with some of them, valid or not, is undefined.
toml::table parse_toml(std::string text);

}  // namespace cohort
