// SPDX-License-Identifier: Apache-2.0
#include "runtime/calls/latest_call.hpp"

#include <utility>

#include "runtime/calls/problem_of.hpp"

namespace cohort::detail {
namespace {

bool is_on_one_vector(Operation operation) {
  switch (operation) {
    case Operation::bcast:
    case Operation::reduce:
    case Operation::combine:
    case Operation::prefix:
    case Operation::exclusive_prefix:
    case Operation::sync:
      return true;
    default:
      return false;
  }
}

const Memory& vector_of(const Call& call) { return call.operation == Operation::bcast ? call.output : call.input; }

bool in_place(const Call& call) { return call.input.data == call.output.data && call.input.count == call.output.count; }

}  // namespace

bool LatestCall::is_like(const Handle& handle, Call& call, Rank me) const {
  const Memory& vector = vector_of(call);
  if (call.operation != operation_ || vector.count != count_ || call.element_bytes != element_bytes_ ||
      call.root != root_ || call.type != type_ || call.reduction.code != operator_ ||
      call.reduction.commutative != commutative_ || handle.algorithm != algorithm_)
    return false;
  if (count_ > 0 && vector.data == nullptr) return false;
  if (operation_ == Operation::bcast || operation_ == Operation::sync) return true;
  if (operation_ == Operation::reduce && me != root_) {
    call.output = {};
    return true;
  }
  if (call.output.count != count_ || (count_ > 0 && call.output.data == nullptr)) return false;
  return in_place_ ? in_place(call) : !overlap(call.input, call.output, element_bytes_);
}

void LatestCall::note(const Handle& handle, const Call& call, const MadeCall& made,
                      std::shared_ptr<const Solution> solution) {
  if (!is_on_one_vector(call.operation)) return;
  operation_ = call.operation;
  type_ = call.type;
  operator_ = call.reduction.code;
  commutative_ = call.reduction.commutative;
  root_ = call.root;
  count_ = vector_of(call).count;
  element_bytes_ = call.element_bytes;
  in_place_ = in_place(call);
  algorithm_ = handle.algorithm;
  made_ = made;
  solution_ = std::move(solution);
}

}  // namespace cohort::detail
