// One builder for each collective operation; the blocking, non-blocking and persistent forms share it.
#pragma once

#include "cohort/detail/call.hpp"

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
  call.reduction = erase<T>(operation_on_elements);
  return call;
}

inline Call with_root(Call call, Rank root) {
  call.root = root;
  return call;
}

inline Call with_counts(Call call, std::span<const Count> counts, std::span<const Count> receive_counts = {}) {
  call.per_rank = true;
  call.counts.assign(counts.begin(), counts.end());
  call.receive_counts.assign(receive_counts.begin(), receive_counts.end());
  return call;
}

inline Call with_shift(Call call, Count distance, bool cyclic) {
  call.distance = distance;
  call.cyclic = cyclic;
  return call;
}

}  // namespace cohort::detail
