// SPDX-License-Identifier: Apache-2.0
#include "runtime/calls/latest_call.hpp"

#include <utility>

#include "runtime/calls/problem_of.hpp"

namespace cohort::detail {
namespace {

bool may_recur(const Call& call) { return call.operation <= Operation::sync && !call.per_rank; }

bool in_place(const Call& call, Rank me) {
  const auto [input, output] = std::pair(call.input, call.output);
  switch (call.operation) {
    case Operation::bcast:
      return true;
    case Operation::concat:
      return call.in_place ||
             (input.count > 0 && input.data == output.data + me * input.count * static_cast<Count>(call.element_bytes));
    case Operation::reduce:
    case Operation::combine:
    case Operation::prefix:
    case Operation::exclusive_prefix:
      return input.data == output.data && input.count == output.count;
    default:
      return false;
  }
}

bool is_there(const Memory& memory) { return memory.count == 0 || memory.data != nullptr; }

}  // namespace

bool LatestCall::is_like(const Handle& handle, Call& call, Rank me) const {
  if (call.operation != operation_ || !may_recur(call) || call.element_bytes != element_bytes_ || call.root != root_ ||
      call.type != type_ || call.reduction.code != operator_ || call.reduction.commutative != commutative_ ||
      call.distance != distance_ || call.cyclic != cyclic_ || handle.algorithm != algorithm_)
    return false;
  drop_unused_memory(call, me);
  if (call.input.count != input_count_ || call.output.count != output_count_ || !is_there(call.input) ||
      !is_there(call.output) || in_place(call, me) != in_place_)
    return false;
  if (in_place_ && operation_ == Operation::concat) call.in_place = true;
  return in_place_ || !overlap(call.input, call.output, element_bytes_);
}

void LatestCall::note(const Handle& handle, const Call& call, Rank me, const MadeCall& made,
                      std::shared_ptr<const Solution> solution) {
  if (!may_recur(call)) return;
  operation_ = call.operation;
  type_ = call.type;
  operator_ = call.reduction.code;
  commutative_ = call.reduction.commutative;
  root_ = call.root;
  distance_ = call.distance;
  cyclic_ = call.cyclic;
  input_count_ = call.input.count;
  output_count_ = call.output.count;
  element_bytes_ = call.element_bytes;
  in_place_ = in_place(call, me);
  algorithm_ = handle.algorithm;
  made_ = made;
  solution_ = std::move(solution);
}

}  // namespace cohort::detail
