// SPDX-License-Identifier: Apache-2.0
// Handles of a program, and the core's objects. F is a face: standard/face.hpp, openmpi/face.hpp, mpich/face.hpp.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <type_traits>

#include "mpi/core/communicator.hpp"
#include "mpi/core/datatype.hpp"
#include "mpi/core/errhandler.hpp"
#include "mpi/core/info.hpp"
#include "mpi/core/message.hpp"
#include "mpi/core/mistake.hpp"
#include "mpi/core/op.hpp"
#include "mpi/core/process_group.hpp"
#include "mpi/core/request.hpp"

namespace cohort::mpi::faces {

struct KindFacts {
  Kind kind;
  int error;  // the class of the error of a handle that is none
  const char* null_name;
  const char* name;
};

template <class T>
extern const KindFacts facts_of;
template <>
inline constexpr KindFacts facts_of<Communicator>{Kind::communicator, abi::err_comm, "MPI_COMM_NULL", "communicator"};
template <>
inline constexpr KindFacts facts_of<ProcessGroup>{Kind::group, abi::err_group, "MPI_GROUP_NULL", "group"};
template <>
inline constexpr KindFacts facts_of<Datatype>{Kind::datatype, abi::err_type, "MPI_DATATYPE_NULL", "datatype"};
template <>
inline constexpr KindFacts facts_of<Op>{Kind::op, abi::err_op, "MPI_OP_NULL", "operator"};
template <>
inline constexpr KindFacts facts_of<Request>{Kind::request, abi::err_request, "MPI_REQUEST_NULL", "request"};
template <>
inline constexpr KindFacts facts_of<Errhandler>{Kind::errhandler, abi::err_errhandler, "MPI_ERRHANDLER_NULL",
                                                "error handler"};
template <>
inline constexpr KindFacts facts_of<Info>{Kind::info, abi::err_info, "MPI_INFO_NULL", "info object"};
template <>
inline constexpr KindFacts facts_of<Message>{Kind::message, abi::err_request, "MPI_MESSAGE_NULL", "message"};

[[noreturn]] void refuse_null(const KindFacts& facts);
[[noreturn]] void refuse_handle(const KindFacts& facts);
[[noreturn]] void refuse_null_pointer();

// Refuses a null pointer to a result.
template <class T>
T& out(T* result) {
  if (result == nullptr) refuse_null_pointer();
  return *result;
}

template <class F, class T>
T* optional(typename F::Handle handle) {
  Object* const object = F::find(facts_of<T>.kind, handle);
  if (object == nullptr) {
    if (handle != F::null(facts_of<T>.kind)) refuse_handle(facts_of<T>);
    return nullptr;
  }
  if (object->kind != facts_of<T>.kind) refuse_handle(facts_of<T>);
  return static_cast<T*>(object);
}

// For arguments that the core may ignore: null if it is no handle.
template <class F, class T>
T* ignorable(typename F::Handle handle) {
  Object* const object = F::find(facts_of<T>.kind, handle);
  return object != nullptr && object->kind == facts_of<T>.kind ? static_cast<T*>(object) : nullptr;
}

template <class F, class T>
T& in(typename F::Handle handle) {
  T* const object = optional<F, T>(handle);
  if (object == nullptr) refuse_null(facts_of<T>);
  return *object;
}

template <class F, class T>
T& in_at(typename F::Handle* handle) {
  return in<F, T>(out(handle));
}

template <class F, class T>
typename F::Handle handle_of(T* object) {
  return object != nullptr ? F::handle(*object) : F::null(facts_of<T>.kind);
}

// A handle that the core makes or changes. The program's variable gets it at the end of the full expression, whether
// the core throws or not.
template <class F, class T>
class ChangedHandle {
 public:
  ChangedHandle(typename F::Handle* place, T* before) : place_(place), object_(before) {}
  ChangedHandle(const ChangedHandle&) = delete;
  ~ChangedHandle() { *place_ = handle_of<F>(object_); }
  operator T*&() { return object_; }

 private:
  typename F::Handle* const place_;
  T* object_;
};

template <class F, class T>
ChangedHandle<F, T> made(typename F::Handle* result) {
  return {&out(result), nullptr};
}
template <class F, class T>
ChangedHandle<F, T> changed(typename F::Handle* handle) {
  return {handle, &in_at<F, T>(handle)};
}
template <class F, class T>
ChangedHandle<F, T> changed_or_null(typename F::Handle* handle) {
  return {handle, optional<F, T>(out(handle))};
}

// Memory for the length of a call, on the stack if it is short.
template <class T, std::size_t on_stack = 64>
class Scratch {
 public:
  explicit Scratch(std::size_t n) : size_(n) {
    if (n > few_.size()) many_ = std::make_unique<T[]>(n);
  }
  T* data() { return many_ ? many_.get() : few_.data(); }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  std::array<T, on_stack> few_;
  std::unique_ptr<T[]> many_;
};

// The number of elements of an array. Numbers below 0 are for the core to refuse.
inline std::size_t length(Count n) { return n > 0 ? static_cast<std::size_t>(n) : 0; }

template <class F, class T>
class HandlesIn {
 public:
  HandlesIn(const typename F::Handle* handles, Count n) : objects_(length(n)) {
    for (std::size_t i = 0; i < objects_.size(); ++i) objects_.data()[i] = optional<F, T>((&out(handles))[i]);
  }
  operator std::span<T* const>() { return {objects_.data(), objects_.size()}; }

 private:
  Scratch<T*> objects_;
};

template <class F, class T>
HandlesIn<F, T> handles_in(const typename F::Handle* handles, Count n) {
  return {handles, n};
}

// The elements that the core has changed get new handles.
template <class F, class T>
class ChangedHandles {
 public:
  // `before`: whether the array holds handles now.
  ChangedHandles(typename F::Handle* handles, Count n, bool before)
      : handles_(handles), objects_(length(n)), before_(length(n)) {
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      T* const object = before ? optional<F, T>((&out(handles))[i]) : nullptr;
      objects_.data()[i] = before_.data()[i] = object;
    }
  }
  ~ChangedHandles() {
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      if (objects_.data()[i] != before_.data()[i]) handles_[i] = handle_of<F>(objects_.data()[i]);
    }
  }
  operator std::span<T*>() { return {objects_.data(), objects_.size()}; }

 private:
  typename F::Handle* const handles_;
  Scratch<T*> objects_;
  Scratch<T*> before_;
};

template <class F, class T>
ChangedHandles<F, T> handles_changed(typename F::Handle* handles, Count n) {
  return {handles, n, true};
}
template <class F, class T>
ChangedHandles<F, T> handles_made(typename F::Handle* handles, Count n) {
  return {handles, n, false};
}

// The datatypes of an alltoallw, one for each peer. Those of peers to which no elements go need not be handles.
template <class F>
class TypesOfPeers {
 public:
  TypesOfPeers(const typename F::Handle* handles, std::size_t n) : types_(n) {
    for (std::size_t i = 0; i < n; ++i) types_.data()[i] = ignorable<F, Datatype>((&out(handles))[i]);
  }
  operator std::span<Datatype* const>() { return {types_.data(), types_.size()}; }

 private:
  Scratch<Datatype*> types_;
};

enum class Peers { all, sources, destinations };
std::size_t number_of_peers(const Communicator& communicator, Peers which);

template <class F>
TypesOfPeers<F> types_of_peers(const typename F::Handle* handles, const Communicator& communicator, Peers which) {
  return {handles, number_of_peers(communicator, which)};
}
// In place, MPI ignores the types.
template <class F>
TypesOfPeers<F> types_of_peers(const typename F::Handle* handles, const Communicator& communicator, Peers which,
                               const void* sent) {
  return {handles, sent == F::in_place() ? 0 : number_of_peers(communicator, which)};
}

}  // namespace cohort::mpi::faces
