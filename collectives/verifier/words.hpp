// SPDX-License-Identifier: Apache-2.0
// The values that the verifier computes with. Every operand is a letter, the rank it comes from; the operator is
// concatenation. So the result of a reduction spells which operands it holds, how often and in which order. For an
// operator that commutes, letters are kept sorted: words are equal as multisets.
//
// Each word is stored once and has a number, so that values are small and compare fast.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "cohort/types.hpp"

namespace cohort::verifier {

using Word = std::int32_t;

// The value of one element of a buffer: a word over operands. All are from the same place in their ranks' inputs.
struct Value {
  static constexpr Word undefined = 0;
  Word word = undefined;
  std::int32_t element = 0;

  friend bool operator==(const Value&, const Value&) = default;
};

class Words {
 public:
  explicit Words(bool commutative) : commutative_(commutative) {}

  Word operands(Rank first, Rank last);  // first ... last - 1, in this order
  Word joined(Word left, Word right);
  std::string to_string(const Value& value) const;  // "x0[3] x1[3]"
  const std::u32string& letters(Word word) const { return *words_[static_cast<std::size_t>(word - 1)]; }
  std::size_t size() const { return words_.size(); }

 private:
  Word number(std::u32string letters);

  bool commutative_;
  std::vector<const std::u32string*> words_;
  std::unordered_map<std::u32string, Word> numbers_;
  std::unordered_map<std::uint64_t, Word> joined_;
};

}  // namespace cohort::verifier
