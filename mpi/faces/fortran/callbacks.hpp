// SPDX-License-Identifier: Apache-2.0
// Functions of a Fortran program, for the core. Fortran passes all arguments by reference. Operators and error handlers
// are as in C. What C passes as an address, Fortran passes as an integer: of MPI_ADDRESS_KIND, or a default INTEGER in
// the functions of MPI 1 (Word).
#pragma once

#include <cstdint>

#include "mpi/core/attribute_functions.hpp"
#include "mpi/core/callbacks.hpp"
#include "mpi/faces/common/callbacks.hpp"

namespace cohort::mpi::faces::fortran {

template <class Word>
using CopyFunction = void(std::int32_t* object, int* keyval, Word* extra_state, Word* value, Word* new_value, int* flag,
                          int* ierror);
template <class Word>
using DeleteFunction = void(std::int32_t* object, int* keyval, Word* value, Word* extra_state, int* ierror);
template <class F>
using QueryFunctionOf = void(Aint* extra_state, typename F::Status* status, int* ierror);
using FreeFunctionOf = void(Aint* extra_state, int* ierror);
using CancelFunctionOf = void(Aint* extra_state, int* complete, int* ierror);

inline void* extra_state(Aint word) { return reinterpret_cast<void*>(word); }
// A generalized request's functions get the program's own variable, as in Open MPI and MPICH: programs change it there.
inline void* kept_state(const Aint& variable) { return const_cast<Aint*>(&variable); }
template <class Word>
Word word_of(void* extra_state) {
  return static_cast<Word>(reinterpret_cast<std::intptr_t>(extra_state));
}

template <class F, class Word>
CopyAttribute copy_function(CopyFunction<Word>* function) {
  if (function == nullptr) return {};
  return {erased(function), [](void* to_call, Object& object, int keyval, void* extra_state, std::intptr_t value,
                               std::intptr_t& new_value, bool& copied) {
            std::int32_t handle = F::handle(object);
            int keyval_here = F::keyval.to_face(keyval);
            Word extra = word_of<Word>(extra_state);
            auto before = static_cast<Word>(value);
            Word result = before;
            int flag = 0;
            int code = F::code.to_face(abi::success);
            as<CopyFunction<Word>>(to_call)(&handle, &keyval_here, &extra, &before, &result, &flag, &code);
            new_value = result;
            copied = flag != 0;
            return F::code.to_core(code);
          }};
}

template <class F, class Word>
DeleteAttribute delete_function(DeleteFunction<Word>* function) {
  if (function == nullptr) return {};
  return {erased(function), [](void* to_call, Object& object, int keyval, std::intptr_t value, void* extra_state) {
            std::int32_t handle = F::handle(object);
            int keyval_here = F::keyval.to_face(keyval);
            auto before = static_cast<Word>(value);
            Word extra = word_of<Word>(extra_state);
            int code = F::code.to_face(abi::success);
            as<DeleteFunction<Word>>(to_call)(&handle, &keyval_here, &before, &extra, &code);
            return F::code.to_core(code);
          }};
}

template <class F>
QueryFunction query_function(QueryFunctionOf<F>* function) {
  if (function == nullptr) return {};
  return {erased(function), [](void* to_call, void* extra_state, Status& status) {
            typename F::Status here{};
            store<F>(status, here);
            int code = F::code.to_face(abi::success);
            as<QueryFunctionOf<F>>(to_call)(static_cast<Aint*>(extra_state), &here, &code);
            status = load<F>(here);
            return F::code.to_core(code);
          }};
}

template <class F>
FreeFunction free_function(FreeFunctionOf* function) {
  if (function == nullptr) return {};
  return {erased(function), [](void* to_call, void* extra_state) {
            int code = F::code.to_face(abi::success);
            as<FreeFunctionOf>(to_call)(static_cast<Aint*>(extra_state), &code);
            return F::code.to_core(code);
          }};
}

template <class F>
CancelFunction cancel_function(CancelFunctionOf* function) {
  if (function == nullptr) return {};
  return {erased(function), [](void* to_call, void* extra_state, bool complete) {
            int is_complete = complete ? 1 : 0;
            int code = F::code.to_face(abi::success);
            as<CancelFunctionOf>(to_call)(static_cast<Aint*>(extra_state), &is_complete, &code);
            return F::code.to_core(code);
          }};
}

inline AttributeValue attribute_in(Aint value) { return {value, true}; }

// Fortran gets a value that Fortran or the core has set, or the address that C has set, as an integer.
template <class F, class Word>
class AttributeOut {
 public:
  AttributeOut(Word& place, int keyval) : place_(place), keyval_(keyval) {}
  AttributeOut(const AttributeOut&) = delete;
  ~AttributeOut() {
    if (value_.kept_at == nullptr) return;  // there is none
    const std::intptr_t value = value_.of_fortran ? *in_face<F>(keyval_, value_.kept_at) : value_.value;
    place_ = static_cast<Word>(value);
  }
  operator AttributeValue&() { return value_; }

 private:
  Word& place_;
  const int keyval_;
  AttributeValue value_;
};

template <class F, class Word>
AttributeOut<F, Word> attribute_out(Word* place, int keyval_here) {
  return {out(place), F::keyval.to_core(keyval_here)};
}

}  // namespace cohort::mpi::faces::fortran
