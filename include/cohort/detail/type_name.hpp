// A type's name, for messages to people: the compiler's own spelling.
#pragma once

#include <string_view>

namespace cohort::detail {

template <class T>
constexpr std::string_view type_name() {
  constexpr std::string_view text = __PRETTY_FUNCTION__;  // "... [with T = double; ...]" or "... [T = double]"
  constexpr std::size_t begin = text.find("T = ") + 4;
  constexpr std::size_t end = text.find(';', begin) != text.npos ? text.find(';', begin) : text.rfind(']');
  return text.substr(begin, end - begin);
}

}  // namespace cohort::detail
