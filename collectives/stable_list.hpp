// SPDX-License-Identifier: Apache-2.0
// A list whose elements never move and whose first few are inside it, so that the usual call of a few messages needs no
// allocation. T's constructor initializes everything that is read of it.
#pragma once

#include <array>
#include <cstddef>
#include <list>
#include <memory>
#include <new>

namespace cohort {

template <class T, std::size_t Inline>
class StableList {
 public:
  StableList() = default;
  ~StableList() {
    for (std::size_t i = 0; i < size_; ++i) std::destroy_at(&inline_[i].element);
  }
  StableList(const StableList&) = delete;
  StableList& operator=(const StableList&) = delete;

  T& emplace_back() {
    if (size_ == Inline) return more_.emplace_back();
    T& element = *::new (&inline_[size_].element) T;
    ++size_;
    return element;
  }

  template <class Function>
  void for_each(Function&& function) {
    for (std::size_t i = 0; i < size_; ++i) function(inline_[i].element);
    for (T& element : more_) function(element);
  }
  template <class Function>
  void for_each(Function&& function) const {
    for (std::size_t i = 0; i < size_; ++i) function(inline_[i].element);
    for (const T& element : more_) function(element);
  }

 private:
  // Not std::optional, so that unused places are not even zeroed.
  union Place {
    Place() {}
    ~Place() {}
    T element;
  };

  std::array<Place, Inline> inline_;
  std::size_t size_ = 0;  // number of used places inside
  std::list<T> more_;
};

}  // namespace cohort
