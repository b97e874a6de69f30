// SPDX-License-Identifier: Apache-2.0
// An intrusive list: adding and removing allocate nothing and take constant time.
#pragma once

namespace cohort {

// Element has `Element* earlier` and `Element* later`, and is in at most one list.
template <class Element>
class LinkedList {
 public:
  Element* first() const { return first_; }

  void add(Element& element) {
    element.earlier = nullptr;
    element.later = first_;
    if (first_ != nullptr) first_->earlier = &element;
    first_ = &element;
  }

  void remove(Element& element) {
    (element.earlier != nullptr ? element.earlier->later : first_) = element.later;
    if (element.later != nullptr) element.later->earlier = element.earlier;
  }

  // The function may remove the element that it is called with.
  template <class Function>
  void for_each(Function&& function) const {
    for (Element* element = first_; element != nullptr;) {
      Element* const next = element->later;
      function(*element);
      element = next;
    }
  }

 private:
  Element* first_ = nullptr;
};

}  // namespace cohort
