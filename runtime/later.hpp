// SPDX-License-Identifier: Apache-2.0
// Room for an object that is made later, or never. Unlike std::optional, it is not filled with zeros before, which for
// a large object takes longer than a short call.
#pragma once

#include <memory>
#include <new>
#include <utility>

namespace cohort {

template <class T>
class Later {
 public:
  Later() {}  // NOLINT: a defaulted one would fill the room with zeros
  ~Later() {
    if (made_) std::destroy_at(&object_);
  }
  Later(const Later&) = delete;
  Later& operator=(const Later&) = delete;

  // Called once.
  template <class... Arguments>
  T& emplace(Arguments&&... arguments) {
    ::new (&object_) T(std::forward<Arguments>(arguments)...);
    made_ = true;
    return object_;
  }

  explicit operator bool() const { return made_; }
  T& operator*() { return object_; }
  const T& operator*() const { return object_; }
  T* operator->() { return &object_; }
  const T* operator->() const { return &object_; }

 private:
  union {
    T object_;
  };
  bool made_ = false;
};

}  // namespace cohort
