// SPDX-License-Identifier: Apache-2.0
// Numbers, texts and memory between a face and the core. Adaptors for results write the program's variable at the end
// of the full expression in which they stand.
#pragma once

#include <algorithm>
#include <climits>
#include <cstring>
#include <string>
#include <string_view>

#include "mpi/core/numbers.hpp"
#include "mpi/faces/common/handles.hpp"
#include "mpi/faces/common/translation.hpp"

namespace cohort::mpi::faces {

// The program's memory: MPI_IN_PLACE is another address in each face. MPI_BOTTOM is the null pointer in all of them.
template <class F>
const void* data_at(const void* memory) {
  return memory == F::in_place() ? in_place : memory;
}
template <class F>
void* data_at(void* memory) {
  return memory == F::in_place() ? in_place : memory;
}

template <class F>
int* weights_at(int* numbers) {
  if (numbers == F::unweighted()) return unweighted;
  return numbers == F::weights_empty() ? weights_empty : numbers;
}
template <class F>
const int* weights_at(const int* numbers) {
  return weights_at<F>(const_cast<int*>(numbers));
}

inline void*& pointer_out(void* place_of_pointer) { return out(static_cast<void**>(place_of_pointer)); }

inline const int* triples(int (*ranges)[3]) { return ranges != nullptr ? &ranges[0][0] : nullptr; }

// A count in an int. One that is too large for it becomes MPI_UNDEFINED.
class CountInInt {
 public:
  CountInInt(int& place, Count before) : place_(place), count_(before) {}
  ~CountInInt() { place_ = count_ > INT_MAX || count_ < INT_MIN ? abi::undefined : static_cast<int>(count_); }
  operator Count&() { return count_; }

 private:
  int& place_;
  Count count_;
};
inline CountInInt count_out(int* result) { return {out(result), 0}; }
inline Count& count_out(Count* result) { return out(result); }
inline CountInInt count_changed(int* count) { return {out(count), *count}; }
inline Count& count_changed(Count* count) { return out(count); }

// A number with other values in the face.
template <class Numbering>
class TranslatedNumber {
 public:
  TranslatedNumber(const Numbering& numbering, int& place, int before)
      : numbering_(numbering), place_(place), number_(before) {}
  ~TranslatedNumber() { place_ = numbering_.to_face(number_); }
  operator int&() { return number_; }

 private:
  const Numbering& numbering_;
  int& place_;
  int number_;
};
template <class Numbering>
TranslatedNumber<Numbering> number_out(const Numbering& numbering, int* result) {
  return {numbering, out(result), 0};
}
template <class Numbering>
TranslatedNumber<Numbering> number_changed(const Numbering& numbering, int* number) {
  return {numbering, out(number), numbering.to_core(*number)};
}

// The blocks of a distributed array.
template <class F>
struct Arguments {
  static int to_core(int here) { return here == F::distribute_dflt_darg ? default_argument : here; }
  static int to_face(int core) { return core == default_argument ? F::distribute_dflt_darg : core; }
};

class NumbersIn {
 public:
  template <class Numbering>
  NumbersIn(const Numbering& numbering, const int* numbers, Count n) : given_(numbers != nullptr), core_(length(n)) {
    if (given_)
      std::transform(numbers, numbers + core_.size(), core_.data(), [&](int i) { return numbering.to_core(i); });
  }
  operator const int*() { return given_ ? core_.data() : nullptr; }

 private:
  bool given_;
  Scratch<int> core_;
};
template <class Numbering>
NumbersIn numbers_in(const Numbering& numbering, const int* numbers, Count n) {
  return {numbering, numbers, n};
}

template <class Numbering>
class NumbersOut {
 public:
  NumbersOut(const Numbering& numbering, int* results, Count n)
      : numbering_(numbering), results_(results), size_(length(n)) {}
  ~NumbersOut() {
    if (results_ == nullptr) return;
    std::transform(results_, results_ + size_, results_, [this](int i) { return numbering_.to_face(i); });
  }
  operator int*() { return results_; }

 private:
  const Numbering& numbering_;
  int* const results_;
  const std::size_t size_;
};
template <class Numbering>
NumbersOut<Numbering> numbers_out(const Numbering& numbering, int* results, Count n) {
  return {numbering, results, n};
}

inline std::string_view text(const char* characters) { return &out(characters); }

// A text for the program's array of `room` characters. Stays as it was if the core gives no text.
class TextOut {
 public:
  TextOut(char* place, std::size_t room, int* length) : place_(place), room_(room), length_(length) {}
  ~TextOut() {
    if (text_ == none || room_ == 0) return;
    const std::size_t size = std::min(text_.size(), room_ - 1);
    std::memcpy(place_, text_.data(), size);
    place_[size] = '\0';
    if (length_ != nullptr) *length_ = static_cast<int>(size);
  }
  operator std::string&() { return text_; }

 private:
  static constexpr const char* none = "\x01";  // no text begins with it
  char* const place_;
  const std::size_t room_;
  int* const length_;
  std::string text_ = none;
};
inline TextOut text_out(char* place, Count room) {
  return {room > 0 ? &out(place) : place, room > 0 ? static_cast<std::size_t>(room) : 0, nullptr};
}
inline TextOut text_out(char* place, Count room, int* length) {
  return {&out(place), static_cast<std::size_t>(room), &out(length)};
}

}  // namespace cohort::mpi::faces
