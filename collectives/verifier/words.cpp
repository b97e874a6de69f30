// SPDX-License-Identifier: Apache-2.0
#include "collectives/verifier/words.hpp"

#include <algorithm>
#include <utility>

namespace cohort::verifier {

Word Words::number(std::u32string letters) {
  const auto [place, is_new] = numbers_.try_emplace(std::move(letters), static_cast<Word>(words_.size() + 1));
  if (is_new) words_.push_back(&place->first);
  return place->second;
}

Word Words::operands(Rank first, Rank last) {
  std::u32string letters;
  for (Rank rank = first; rank < last; ++rank) letters.push_back(static_cast<char32_t>(rank));
  return number(std::move(letters));
}

Word Words::joined(Word left, Word right) {
  if (commutative_ && left > right) std::swap(left, right);
  const std::uint64_t key = static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right);
  const auto known = joined_.find(key);
  if (known != joined_.end()) return known->second;

  const std::u32string& first = letters(left);
  const std::u32string& second = letters(right);
  std::u32string letters = first + second;
  if (commutative_) {
    std::inplace_merge(letters.begin(), letters.begin() + static_cast<std::ptrdiff_t>(first.size()), letters.end());
  }
  const Word word = number(std::move(letters));
  joined_.emplace(key, word);
  return word;
}

std::string Words::to_string(const Value& value) const {
  if (value.word == Value::undefined) return "undefined";
  std::string text;
  for (const char32_t letter : letters(value.word)) {
    if (!text.empty()) text += ' ';
    text += "x" + std::to_string(static_cast<std::uint32_t>(letter)) + "[" + std::to_string(value.element) + "]";
  }
  return text;
}

}  // namespace cohort::verifier
