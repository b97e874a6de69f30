// SPDX-License-Identifier: Apache-2.0
// The program's operators, as kernels of the runtime.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "mpi/core/op.hpp"

namespace cohort::mpi {
namespace {

constexpr std::size_t most_bytes_at_once = 65536;  // of temporary elements, so that they stay in a core's own cache

struct UserReduction {
  UserOperator user;
  bool commutative;
  Ref<Datatype> type;
  std::size_t element_bytes;

  void call(const std::byte* in, std::byte* inout, std::size_t count) const {
    user.call(user.function, const_cast<std::byte*>(in), inout, static_cast<Count>(count), *type);
  }
  // The address of the elements whose first byte is here.
  const std::byte* elements_at(const std::byte* first) const { return first - type->true_lower_bound; }
  std::byte* elements_at(std::byte* first) const { return first - type->true_lower_bound; }
};

// Room for elements as they lie in the program's memory, with their gaps.
class Unpacked {
 public:
  Unpacked(Datatype& type, std::size_t count) : type_(type) {
    const Count between = (static_cast<Count>(count) - 1) * type.extent;
    const Count lowest = type.true_lower_bound + std::min<Count>(between, 0);
    memory_ = std::make_unique_for_overwrite<std::byte[]>(
        static_cast<std::size_t>(std::abs(between) + type.true_extent) + alignment);
    // The elements' address is as aligned as an allocator's.
    const auto begin = reinterpret_cast<std::uintptr_t>(memory_.get());
    const auto address = static_cast<std::uintptr_t>(static_cast<std::intptr_t>(begin) - lowest);
    elements_ = reinterpret_cast<std::byte*>((address + alignment - 1) / alignment * alignment);
  }

  std::byte* elements() const { return elements_; }
  void take(const std::byte* packed, std::size_t count) const {
    type_.unpack(elements_, static_cast<Count>(count), 0, packed, static_cast<Count>(count) * type_.size);
  }
  void give(std::byte* packed, std::size_t count) const {
    type_.pack(elements_, static_cast<Count>(count), 0, packed, static_cast<Count>(count) * type_.size);
  }

 private:
  static constexpr std::uintptr_t alignment = alignof(std::max_align_t);
  const Datatype& type_;
  std::unique_ptr<std::byte[]> memory_;
  std::byte* elements_ = nullptr;
};

// Calls `each` with the first byte and the number of the elements of one stretch after another.
template <class Each>
void in_stretches(std::size_t count, std::size_t most, std::size_t element_bytes, const Each& each) {
  for (std::size_t done = 0; done < count; done += most) each(done * element_bytes, std::min(most, count - done));
}

// Elements that travel as they lie in memory: the function works on the runtime's memory itself.
void apply_in_memory(const void* operation, const std::byte* left, const std::byte* right, std::byte* result,
                     std::size_t count) {
  const auto& user = *static_cast<const UserReduction*>(operation);
  if (count == 0) return;
  const auto call = [&user](const std::byte* in, std::byte* inout, std::size_t number) {
    user.call(user.elements_at(in), user.elements_at(inout), number);
  };
  if (result == left && user.commutative) return call(right, result, count);
  if (result != left) {
    if (result != right) std::memcpy(result, right, count * user.element_bytes);
    return call(left, result, count);
  }
  const std::size_t most = std::clamp<std::size_t>(most_bytes_at_once / user.element_bytes, 1, count);
  const auto copy = std::make_unique_for_overwrite<std::byte[]>(most * user.element_bytes);
  in_stretches(count, most, user.element_bytes, [&](std::size_t at, std::size_t number) {
    std::memcpy(copy.get(), right + at, number * user.element_bytes);
    call(left + at, copy.get(), number);
    std::memcpy(result + at, copy.get(), number * user.element_bytes);
  });
}

// Elements that travel packed.
void apply_packed(const void* operation, const std::byte* left, const std::byte* right, std::byte* result,
                  std::size_t count) {
  const auto& user = *static_cast<const UserReduction*>(operation);
  if (count == 0) return;
  Datatype& type = *user.type;
  const auto room = static_cast<std::size_t>(std::max(std::abs(type.extent), type.true_extent));
  const std::size_t most = std::clamp<std::size_t>(most_bytes_at_once / std::max<std::size_t>(room, 1), 1, count);
  const Unpacked in(type, most);
  const Unpacked inout(type, most);
  in_stretches(count, most, user.element_bytes, [&](std::size_t at, std::size_t number) {
    in.take(left + at, number);
    inout.take(right + at, number);
    user.call(in.elements(), inout.elements(), number);
    inout.give(result + at, number);
  });
}

}  // namespace

ReductionOfType user_reduction(const UserOperator& user, bool commutative, Datatype& type) {
  const bool in_memory = type.is_predefined_value() || type.contiguous(2);
  const Count bytes = type.is_predefined_value() ? type.extent : type.size;
  ReductionOfType made;
  made.element_bytes = static_cast<std::size_t>(std::max<Count>(bytes, 1));
  made.reduction.apply = in_memory ? apply_in_memory : apply_packed;
  made.reduction.operation =
      std::make_shared<UserReduction>(UserReduction{user, commutative, Ref(&type), made.element_bytes});
  made.reduction.commutative = commutative;
  return made;
}

}  // namespace cohort::mpi
