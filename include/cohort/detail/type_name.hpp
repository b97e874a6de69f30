// SPDX-License-Identifier: Apache-2.0
// A type's name as a constant: for people, and for numbers that are the same in every program of a job.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace cohort::detail {

// The compiler's own spelling.
template <class T>
constexpr std::string_view spelled_name() {
  constexpr std::string_view text = __PRETTY_FUNCTION__;  // "... [with T = double; ...]" or "... [T = double]"
  constexpr std::size_t begin = text.find("T = ") + 4;
  constexpr std::size_t end = text.find(';', begin) != text.npos ? text.find(';', begin) : text.rfind(']');
  return text.substr(begin, end - begin);
}

constexpr bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

// One spelling for names that compilers spell in several ways: spaces, the words of integers ("long unsigned int"),
// suffixes of numbers, and scopes that have no name or are a function ("{anonymous}::", "main()::").
template <std::size_t room>
class UniformName {
 public:
  constexpr explicit UniformName(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      if (is_word(text[at])) {
        at = word(text, at);
      } else {
        if (text[at] == ':' && size_ > 0 && (text_[size_ - 1] == ')' || text_[size_ - 1] == '}')) {
          cut_scope();
          ++at;  // drops the second colon, too
        } else if (text[at] != ' ') {
          end_integer();
          put(text[at]);
        }
        ++at;
      }
    }
    end_integer();
  }

  constexpr std::string_view view() const { return {text_.data(), size_}; }

 private:
  constexpr std::size_t word(std::string_view text, std::size_t begin) {
    std::size_t end = begin;
    while (end < text.size() && is_word(text[end])) ++end;
    std::string_view found = text.substr(begin, end - begin);
    if (!is_part_of_integer(found)) {
      end_integer();
      const bool number = found.front() >= '0' && found.front() <= '9';
      while (number && std::string_view("uUlL").find(found.back()) != found.npos) found.remove_suffix(1);
      put(found);
    }
    return end;
  }

  constexpr bool is_part_of_integer(std::string_view word) {
    if (word == "long") {
      ++longs_;
    } else if (word == "unsigned") {
      unsigned_ = true;
    } else if (word == "signed") {
      signed_ = true;
    } else if (word == "short" || word == "char") {
      kind_ = word;
    } else if (word != "int") {
      return false;
    }
    return integer_ = true;
  }

  constexpr void end_integer() {
    if (!integer_) return;
    if (unsigned_) put("unsigned");
    if (signed_ && kind_ == "char") put("signed");
    for (int i = 0; i < longs_; ++i) put("long");
    if (!kind_.empty() || longs_ == 0) put(kind_.empty() ? "int" : kind_);
    integer_ = unsigned_ = signed_ = false;
    longs_ = 0;
    kind_ = {};
  }

  constexpr void put(std::string_view word) {
    if (size_ > 0 && is_word(text_[size_ - 1]) && is_word(word.front())) put(' ');
    for (const char c : word) put(c);
  }
  constexpr void put(char c) { text_[size_++] = c; }

  // Goes back to the beginning of the name of this type or template argument.
  constexpr void cut_scope() {
    for (int depth = 0; size_ > 0; --size_) {
      const char c = text_[size_ - 1];
      if (c == ')' || c == '}' || c == '>') ++depth;
      if (depth == 0 && (c == ',' || c == '<' || c == '(')) return;
      if (c == '(' || c == '{' || c == '<') --depth;
    }
  }

  std::array<char, room> text_{};
  std::size_t size_ = 0;
  bool integer_ = false, unsigned_ = false, signed_ = false;
  int longs_ = 0;
  std::string_view kind_;
};

// "complex" for std::complex<double>; empty for all that is no template of the standard library. So a header needs not
// include those that few programs use.
template <class T>
constexpr std::string_view standard_template() {
  std::string_view name = spelled_name<T>();
  if (!name.starts_with("std::")) return {};
  name = name.substr(0, name.find('<'));
  return name.substr(name.rfind(':') + 1);
}

template <class T>
inline constexpr UniformName<2 * spelled_name<T>().size() + 8> uniform_name{spelled_name<T>()};

template <class T>
constexpr std::string_view type_name() {
  return uniform_name<T>.view();
}

}  // namespace cohort::detail
