// SPDX-License-Identifier: Apache-2.0
// Functions of the program, for the core: each comes with the function that translates its arguments for this face.
#pragma once

#include <algorithm>
#include <atomic>
#include <climits>

#include "mpi/core/attribute_functions.hpp"
#include "mpi/core/callbacks.hpp"
#include "mpi/faces/common/handles.hpp"
#include "mpi/faces/common/statuses.hpp"

namespace cohort::mpi::faces {

template <class F>
using CopyFunction = int(typename F::Handle, int, void*, void*, void*, int*);
template <class F>
using DeleteFunction = int(typename F::Handle, int, void*, void*);
template <class F>
using ErrorFunction = void(typename F::Handle*, int*, ...);
template <class F, class Length>
using UserFunction = void(void*, void*, Length*, typename F::Handle*);
template <class F>
using GrequestQuery = int(void*, typename F::Status*);
using GrequestFree = int(void*);
using GrequestCancel = int(void*, int);

template <class Function>
Function* as(void* function) {
  return reinterpret_cast<Function*>(function);
}
template <class Function>
void* erased(Function* function) {
  return reinterpret_cast<void*>(function);
}

// A null function is the standard's NULL function; the core takes a null call for it.
template <class F>
CopyAttribute copy_function(CopyFunction<F>* function) {
  if (function == nullptr) return {};
  if (erased(function) == F::dup_function()) return {nullptr, copy_always};
  return {erased(function), [](void* to_call, Object& object, int keyval, void* extra_state, std::intptr_t value,
                               std::intptr_t& new_value, bool& copied) {
            void* result = reinterpret_cast<void*>(value);
            int flag = 0;
            const int code = as<CopyFunction<F>>(to_call)(F::handle(object), F::keyval.to_face(keyval), extra_state,
                                                          reinterpret_cast<void*>(value), &result, &flag);
            new_value = reinterpret_cast<std::intptr_t>(result);
            copied = flag != 0;
            return F::code.to_core(code);
          }};
}

template <class F>
DeleteAttribute delete_function(DeleteFunction<F>* function) {
  if (function == nullptr) return {};
  return {erased(function), [](void* to_call, Object& object, int keyval, std::intptr_t value, void* extra_state) {
            return F::code.to_core(as<DeleteFunction<F>>(to_call)(F::handle(object), F::keyval.to_face(keyval),
                                                                  reinterpret_cast<void*>(value), extra_state));
          }};
}

template <class F>
UserErrorHandler error_function(ErrorFunction<F>* function) {
  if (function == nullptr) return {};
  return {erased(function), [](void* to_call, Object& object, int code) {
            typename F::Handle handle = F::handle(object);
            int code_here = F::code.to_face(code);
            as<ErrorFunction<F>>(to_call)(&handle, &code_here);
          }};
}

// A function that takes the length as an int is called several times for more elements than an int can count.
template <class F, class Length>
UserOperator user_operator(UserFunction<F, Length>* function) {
  if (function == nullptr) return {};
  return {erased(function), [](void* to_call, void* in, void* inout, Count count, Datatype& type) {
            constexpr Count most = std::numeric_limits<Length>::max();
            for (Count done = 0; done < count; done += most) {
              auto length = static_cast<Length>(std::min(most, count - done));
              typename F::Handle handle = F::handle(type);
              as<UserFunction<F, Length>>(to_call)(static_cast<std::byte*>(in) + done * type.extent,
                                                   static_cast<std::byte*>(inout) + done * type.extent, &length,
                                                   &handle);
              if (count - done <= most) return;
            }
          }};
}

template <class F>
QueryFunction query_function(GrequestQuery<F>* function) {
  if (function == nullptr) return {};
  return {erased(function), [](void* to_call, void* extra_state, Status& status) {
            typename F::Status here{};
            store<F>(status, here);
            const int code = as<GrequestQuery<F>>(to_call)(extra_state, &here);
            status = load<F>(here);
            return F::code.to_core(code);
          }};
}

template <class F>
FreeFunction free_function(GrequestFree* function) {
  if (function == nullptr) return {};
  return {erased(function),
          [](void* to_call, void* extra_state) { return F::code.to_core(as<GrequestFree>(to_call)(extra_state)); }};
}

template <class F>
CancelFunction cancel_function(GrequestCancel* function) {
  if (function == nullptr) return {};
  return {erased(function), [](void* to_call, void* extra_state, bool complete) {
            return F::code.to_core(as<GrequestCancel>(to_call)(extra_state, complete ? 1 : 0));
          }};
}

inline AttributeValue attribute_in(void* value) { return {reinterpret_cast<std::intptr_t>(value)}; }

// C's pointer to a predefined attribute, which is a number of the core. Some are other numbers in this face.
template <class F>
const std::intptr_t* in_face(int keyval, const std::intptr_t* number) {
  static std::intptr_t host = 0;
  static std::intptr_t io = 0;
  static std::intptr_t last_used_code = 0;
  const auto kept = [number](std::intptr_t& place, const auto& numbering) {
    std::atomic_ref(place).store(numbering.to_face(static_cast<int>(*number)), std::memory_order_relaxed);
    return &place;
  };
  if (keyval == abi::host) return kept(host, F::rank);
  if (keyval == abi::io) return kept(io, F::rank);
  if (keyval == abi::lastusedcode) return kept(last_used_code, F::code);
  return number;
}

// C gets a value that C has set, or a pointer to a number that Fortran or the core has set.
template <class F>
class AttributeOut {
 public:
  AttributeOut(void* place, int keyval) : place_(place), keyval_(keyval) {}
  ~AttributeOut() {
    if (value_.kept_at == nullptr) return;  // there is none
    if (value_.of_fortran) {
      *static_cast<const void**>(place_) = in_face<F>(keyval_, value_.kept_at);
    } else {
      *static_cast<std::intptr_t*>(place_) = value_.value;
    }
  }
  operator AttributeValue&() { return value_; }

 private:
  void* const place_;
  const int keyval_;
  AttributeValue value_;
};

template <class F>
AttributeOut<F> attribute_out(void* place, int keyval_here) {
  return {&out(static_cast<char*>(place)), F::keyval.to_core(keyval_here)};
}

}  // namespace cohort::mpi::faces
