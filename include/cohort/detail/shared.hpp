// SPDX-License-Identifier: Apache-2.0
// A std::shared_ptr<T> for headers that do not include <memory>: that costs a small program a sixth of its compile
// time. Only the library copies and releases it (runtime/shared_pointers.hpp).
#pragma once

#include <concepts>
#include <cstddef>
#include <new>
#include <utility>

namespace cohort::detail {

template <class T>
class Shared {
 public:
  Shared() noexcept;
  Shared(std::nullptr_t) noexcept : Shared() {}
  Shared(const Shared& other) noexcept;
  Shared(Shared&& other) noexcept;
  Shared& operator=(const Shared& other) noexcept;
  Shared& operator=(Shared&& other) noexcept;
  ~Shared();

  // From a std::shared_ptr<T>, or one that converts to it; and back.
  template <template <class> class Pointer, class U>
  requires requires(Pointer<U> pointer) {
    pointer.use_count();
    requires std::convertible_to<Pointer<U>, Pointer<T>>;
  }
  Shared(Pointer<U> pointer) noexcept {
    static_assert(sizeof(Pointer<T>) == sizeof memory_ && alignof(Pointer<T>) == alignof(void*));
    ::new (static_cast<void*>(memory_)) Pointer<T>(std::move(pointer));
  }
  template <template <class> class Pointer>
  operator const Pointer<T>&() const noexcept {
    return *std::launder(reinterpret_cast<const Pointer<T>*>(memory_));
  }

  T* get() const noexcept;
  T* operator->() const noexcept { return get(); }
  template <class Object = T>
  Object& operator*() const noexcept {
    return *get();
  }
  friend bool operator==(const Shared& a, const Shared& b) noexcept { return a.get() == b.get(); }
  explicit operator bool() const noexcept { return get() != nullptr; }

 private:
  alignas(void*) std::byte memory_[2 * sizeof(void*)];
};

// Owns an object of a program's type.
Shared<const void> shared_object(const void* object, void (*destroy)(const void* object));
template <class T>
Shared<const void> share(T* object) {
  return shared_object(object, [](const void* shared) { delete static_cast<const T*>(shared); });
}

}  // namespace cohort::detail
