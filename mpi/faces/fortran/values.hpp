// SPDX-License-Identifier: Apache-2.0
// Arguments of Fortran that differ from C's. Adaptors for results write the program's variable at the end of the full
// expression in which they stand.
#pragma once

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

#include "mpi/core/numbers.hpp"
#include "mpi/faces/common/handles.hpp"
#include "mpi/faces/common/values.hpp"

namespace cohort::mpi::faces::fortran {

// A program that calls mpi_f08 may leave the error code out.
inline void give(int* ierror, int code) {
  if (ierror != nullptr) *ierror = code;
}

// A choice buffer: the address of anything.
template <class F>
void* choice(void* memory) {
  if (memory == F::in_place()) return in_place;
  return memory == F::bottom() ? nullptr : memory;
}
template <class F>
const void* choice(const void* memory) {
  return choice<F>(const_cast<void*>(memory));
}

template <class F>
int* weights(int* numbers) {
  if (F::is_unweighted(numbers)) return unweighted;
  return F::is_weights_empty(numbers) ? weights_empty : numbers;
}
template <class F>
const int* weights(const int* numbers) {
  return weights<F>(const_cast<int*>(numbers));
}

// Strings have no end but their length, and blanks after the text.
inline std::string_view trimmed(const char* characters, std::size_t length) {
  const std::string_view all(characters, length);
  return all.substr(0, all.find_last_not_of(' ') + 1);
}
// Keys and values of info objects may also have blanks in front.
inline std::string_view stripped(const char* characters, std::size_t length) {
  const std::string_view text = trimmed(characters, length);
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

// A text for the program's string. Stays as it was if the core gives no text.
class PaddedText {
 public:
  PaddedText(char* place, std::size_t room, int* length) : place_(place), room_(room), length_(length) {}
  PaddedText(const PaddedText&) = delete;
  ~PaddedText() {
    if (text_ == none) return;
    const std::size_t size = std::min(text_.size(), room_);
    std::memcpy(place_, text_.data(), size);
    std::memset(place_ + size, ' ', room_ - size);
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
inline PaddedText padded(char* place, std::size_t room, int* length = nullptr) { return {place, room, length}; }

// MPI_Info_get_string's number of characters, which counts C's null character.
class RoomForText {
 public:
  explicit RoomForText(int& place) : place_(place), number_(place > 0 ? place + 1 : 0) {}
  RoomForText(const RoomForText&) = delete;
  ~RoomForText() { place_ = number_ > 0 ? number_ - 1 : 0; }
  operator int&() { return number_; }

 private:
  int& place_;
  int number_;
};

// Fortran counts the elements of arrays from 1.
class IndexOut {
 public:
  explicit IndexOut(int& place) : place_(place) {}
  IndexOut(const IndexOut&) = delete;
  ~IndexOut() { place_ = index_ == abi::undefined ? index_ : index_ + 1; }
  operator int&() { return index_; }

 private:
  int& place_;
  int index_ = abi::undefined;
};

class IndicesOut {
 public:
  IndicesOut(int* places, int& number) : places_(places), number_(number) { number_ = 0; }
  IndicesOut(const IndicesOut&) = delete;
  ~IndicesOut() {
    for (int i = 0; i < number_; ++i) ++places_[i];
  }
  operator int*() { return places_; }

 private:
  int* const places_;
  int& number_;
};

// MPI 1 has INTEGERs for addresses and extents. One that does not fit becomes MPI_UNDEFINED.
class ShortAddress {
 public:
  explicit ShortAddress(int* place) : place_(place) {}
  ShortAddress(const ShortAddress&) = delete;
  ~ShortAddress() { *place_ = address_ > INT_MAX || address_ < INT_MIN ? abi::undefined : static_cast<int>(address_); }
  operator Aint*() { return &address_; }
  operator Aint&() { return address_; }

 private:
  int* const place_;
  Aint address_ = 0;
};

}  // namespace cohort::mpi::faces::fortran
