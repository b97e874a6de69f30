// SPDX-License-Identifier: Apache-2.0
// What every handle of MPI stands for: an object with a count of its users.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace cohort::mpi {

enum class Kind : std::uint8_t {
  communicator,
  group,
  datatype,
  op,
  request,
  errhandler,
  info,
  message,
  last_kind = message,
};

class Object;

// Defined by the face that is linked in. The first returns the handle of a new object in the program's C interface; 0:
// it has none yet. The second is told that the object is about to end.
std::uintptr_t handle_of_new(Object& object);
void handle_gone(Object& object);

// Objects are made with one user, who calls release() once. Predefined objects live as long as the program.
class Object {
 public:
  explicit Object(Kind kind);
  virtual ~Object();
  Object(const Object&) = delete;

  void retain() { users_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (users_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  int users() const { return users_.load(std::memory_order_relaxed); }

  // Where a face's handle is the address of an object (Open MPI's interface), its first word is the core's object. The
  // handle of an object that a program has made is the address of this word.
  Object* const self = this;
  const Kind kind;
  bool predefined = false;
  // The handle in the program's C interface, and in Fortran. The face sets both; 0: none yet.
  std::uintptr_t handle = 0;
  std::int32_t fortran_handle = 0;

 private:
  std::atomic<int> users_{1};
};

// Holds one use of an object.
template <class T>
class Ref {
 public:
  Ref() = default;
  explicit Ref(T* object) : object_(object) {  // one more user
    if (object_ != nullptr) object_->retain();
  }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_ != nullptr) object_->release();
  }

  // Takes over the use that the caller has.
  static Ref adopt(T* object) {
    Ref ref;
    ref.object_ = object;
    return ref;
  }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  // Gives the use to the caller.
  T* leak() { return std::exchange(object_, nullptr); }

 private:
  T* object_ = nullptr;
};

// Makes an object that lives as long as the program.
template <class T, class... Arguments>
T& make_predefined(Arguments&&... arguments) {
  T* const object = new T(std::forward<Arguments>(arguments)...);
  object->predefined = true;
  return *object;
}

// A handle of an object that exists, for the program, which must free it. Handles of predefined objects need not be
// freed, so nobody counts them.
template <class T>
T* handle_for_program(T& object) {
  if (!object.predefined) object.retain();
  return &object;
}

// Ends the program's use of an object; the handle becomes the null handle.
template <class T>
void free_handle(T*& object) {
  if (!object->predefined) object->release();
  object = nullptr;
}

}  // namespace cohort::mpi
