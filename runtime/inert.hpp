// SPDX-License-Identifier: Apache-2.0
// The library's objects do nothing in a fork of the process that has joined. They also do nothing in a thread that runs
// a user's operator, or has left one by longjmp. There the objects are copies, or in the middle of a call: calls throw,
// destructors return, and nothing is destroyed.
//
// A page marks a fork: the kernel fills it with zeros in every child that gets a copy of the memory, however the child
// was made. A child that shares the memory (vfork) is not recognised: it may only exec another program.
#pragma once

#include <memory>
#include <string>

#include "cohort/types.hpp"
#include "runtime/spare_blocks.hpp"

namespace cohort::detail {

inline constexpr bool member_itself = true;
inline const volatile bool* member_mark = &member_itself;  // points into that page after the process has joined

inline bool is_fork() { return !*member_mark; }

struct CurrentOperator {
  Operation operation = Operation::combine;
  std::uint64_t number = 0;
  GroupId group{};
  const void* frame = nullptr;  // of the function that calls the operator; nullptr: no operator is called
};

// The collective whose operator this thread is running.
class OperatorCall {
 public:
  OperatorCall(Operation operation, std::uint64_t number, const GroupId& group) {
    current = {operation, number, group, __builtin_frame_address(0)};
  }
  ~OperatorCall() { current.frame = nullptr; }
  OperatorCall(const OperatorCall&) = delete;

  static bool inside() { return current.frame != nullptr; }
  static bool left_by_longjmp(const void* frame);  // of the caller; an operator's frame is further down
  static std::string name();                       // "combine #3 on group (0,0)"

 private:
  static inline constinit thread_local CurrentOperator current;
};

inline bool is_inert() { return is_fork() || OperatorCall::inside(); }

// The reason: "this process (4712) is a fork of pid 3 (process 4711, node7), and no member of the job".
std::string why_inert(const void* frame);

// From here on forks are recognised, and their errors name `who` as the process that they are copies of. A fork closes
// the descriptors that were passed to close_in_forks(). Called by the thread that joins.
void tell_forks_apart(const std::string& who);
[[noreturn]] void refuse_fork();  // throws Error(left)

// Forks close this descriptor. Otherwise a fork would hold it open, and the other end would not hear that this process
// has ended. By any thread.
void close_in_forks(int descriptor);
void close_own(int descriptor);  // closes such a descriptor

// Memory whose object is destroyed and freed only if this process and thread are not inert.
void keep(const void* memory);  // so that a leak checker still finds it

template <class T>
struct OwnMemory {
  using value_type = T;
  OwnMemory() = default;
  template <class U>
  OwnMemory(const OwnMemory<U>&) {}  // NOLINT: an allocator is converted

  T* allocate(std::size_t) { return static_cast<T*>(SpareBlocks<sizeof(T)>::take()); }  // one object at a time
  void deallocate(T* memory, std::size_t) {
    if (is_inert()) return keep(memory);
    SpareBlocks<sizeof(T)>::give(memory);
  }
  template <class U>
  void destroy(U* object) {
    if (!is_inert()) std::destroy_at(object);
  }
  friend bool operator==(const OwnMemory&, const OwnMemory&) { return true; }
};

template <class T, class... Arguments>
std::shared_ptr<T> make_own(Arguments&&... arguments) {
  return std::allocate_shared<T>(OwnMemory<T>(), std::forward<Arguments>(arguments)...);
}

}  // namespace cohort::detail
