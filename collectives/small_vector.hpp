// SPDX-License-Identifier: Apache-2.0
// A vector whose first few elements are inside it, so that the usual message of one or two segments needs no
// allocation.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace cohort {

template <class T, std::size_t Inline>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  SmallVector() = default;
  SmallVector(std::initializer_list<T> values) {
    for (const T& value : values) push_back(value);
  }

  void push_back(const T& value) {
    if (size_ < Inline) {
      inline_[size_] = value;
    } else {
      if (size_ == Inline) more_.assign(inline_.begin(), inline_.end());
      more_.push_back(value);
    }
    ++size_;
  }

  void pop_back() {
    if (size_ > Inline) {
      more_.pop_back();
      if (size_ == Inline + 1) {
        std::ranges::copy(more_, inline_.begin());
        more_.clear();
      }
    }
    --size_;
  }

  void clear() {
    size_ = 0;
    more_.clear();
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return size_ > Inline ? more_.data() : inline_.data(); }
  const T* data() const { return size_ > Inline ? more_.data() : inline_.data(); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }

 private:
  std::size_t size_ = 0;
  std::array<T, Inline> inline_;  // the first size_ are valid, unless there are more
  std::vector<T> more_;
};

}  // namespace cohort
