// SPDX-License-Identifier: Apache-2.0
// One builder for each collective operation; the blocking, non-blocking and persistent forms share it.
#pragma once

#include "cohort/detail/arguments.hpp"

namespace cohort::detail {

template <class T>
Call call_of(Operation operation, Memory input, Memory output, const Where& where) {
  Call call;
  call.operation = operation;
  call.input = input;
  call.output = output;
  call.element_bytes = sizeof(T);
  call.type = code_of_type<T>();
  call.where = where;
  return call;
}

template <class T>
Call in_place_call_of(Operation operation, Memory data, const Where& where) {
  Call call = call_of<T>(operation, data, data, where);
  call.in_place = true;
  return call;
}

template <class T, class Operator>
Call reduction_call_of(Operation operation, Memory input, Memory output, const Operator& operation_on_elements,
                       const Where& where) {
  Call call = call_of<T>(operation, input, output, where);
  call.in_place = input.data == output.data && input.count == output.count;
  call.reduction = reduction_by<T>(operation_on_elements);
  return call;
}

inline Call with_root(Call call, Rank root) {
  call.root = root;
  return call;
}

template <Counts Sizes>
void set_counts(std::vector<Count>& all, const Sizes& counts) {
  for (const auto count : counts) all.push_back(static_cast<Count>(count));
}

template <Counts Sizes>
Call with_counts(Call call, const Sizes& counts) {
  call.per_rank = true;
  set_counts(call.counts, counts);
  return call;
}

template <Counts Sizes, Counts ReceivedSizes>
Call with_counts(Call call, const Sizes& counts, const ReceivedSizes& receive_counts) {
  set_counts(call.receive_counts, receive_counts);
  return with_counts(std::move(call), counts);
}

inline Call with_shift(Call call, Count distance, bool cyclic) {
  call.distance = distance;
  call.cyclic = cyclic;
  return call;
}

}  // namespace cohort::detail
