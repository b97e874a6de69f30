// Memory for one operation of the reactor at a time, inside of the object that waits for it: asking the reactor to tell
// when a socket is ready allocates nothing.
#pragma once

#include <array>
#include <cstddef>
#include <new>

namespace cohort {

class HandlerSlot {
 public:
  void* take(std::size_t size) {
    if (taken_ || size > memory_.size()) return ::operator new(size);
    taken_ = true;
    return memory_.data();
  }
  void give_back(void* memory) {
    if (memory == memory_.data()) {
      taken_ = false;
    } else {
      ::operator delete(memory);
    }
  }

 private:
  alignas(std::max_align_t) std::array<std::byte, 256> memory_;
  bool taken_ = false;
};

template <class T>
class SlotAllocator {
 public:
  using value_type = T;

  explicit SlotAllocator(HandlerSlot& slot) : slot_(&slot) {}
  template <class U>
  SlotAllocator(const SlotAllocator<U>& other) : slot_(&other.slot()) {}  // NOLINT: allocators convert

  T* allocate(std::size_t count) { return static_cast<T*>(slot_->take(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t) { slot_->give_back(memory); }
  HandlerSlot& slot() const { return *slot_; }

  template <class U>
  friend bool operator==(const SlotAllocator& a, const SlotAllocator<U>& b) {
    return &a.slot() == &b.slot();
  }

 private:
  HandlerSlot* slot_;
};

}  // namespace cohort
