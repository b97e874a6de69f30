// A list whose elements stay where they are, and whose first few live inside it, so that the usual call of a few
// messages costs no allocation.
#pragma once

#include <array>
#include <cstddef>
#include <list>
#include <optional>

namespace cohort {

template <class T, std::size_t Inline>
class StableList {
 public:
  T& emplace_back() { return size_ < Inline ? inline_[size_++].emplace() : more_.emplace_back(); }

  template <class Function>
  void for_each(Function&& function) {
    for (std::size_t i = 0; i < size_; ++i) function(*inline_[i]);
    for (T& element : more_) function(element);
  }
  template <class Function>
  void for_each(Function&& function) const {
    for (std::size_t i = 0; i < size_; ++i) function(*inline_[i]);
    for (const T& element : more_) function(element);
  }

 private:
  std::array<std::optional<T>, Inline> inline_;
  std::size_t size_ = 0;  // of these
  std::list<T> more_;
};

}  // namespace cohort
