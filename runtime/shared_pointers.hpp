// SPDX-License-Identifier: Apache-2.0
// What a Shared does: it is a std::shared_ptr. To be included where one is copied often.
#pragma once

#include <memory>

#include "cohort/detail/shared.hpp"

namespace cohort::detail {

template <class T>
const std::shared_ptr<T>& pointer_in(const Shared<T>& shared) {
  return shared;
}

template <class T>
Shared<T>::Shared() noexcept : Shared(std::shared_ptr<T>()) {}
template <class T>
Shared<T>::Shared(const Shared& other) noexcept : Shared(pointer_in(other)) {}
template <class T>
Shared<T>::Shared(Shared&& other) noexcept : Shared(std::move(const_cast<std::shared_ptr<T>&>(pointer_in(other)))) {}
template <class T>
Shared<T>& Shared<T>::operator=(const Shared& other) noexcept {
  const_cast<std::shared_ptr<T>&>(pointer_in(*this)) = pointer_in(other);
  return *this;
}
template <class T>
Shared<T>& Shared<T>::operator=(Shared&& other) noexcept {
  const_cast<std::shared_ptr<T>&>(pointer_in(*this)) = std::move(const_cast<std::shared_ptr<T>&>(pointer_in(other)));
  return *this;
}
template <class T>
Shared<T>::~Shared() {
  std::destroy_at(&pointer_in(*this));
}
template <class T>
T* Shared<T>::get() const noexcept {
  return pointer_in(*this).get();
}

}  // namespace cohort::detail
