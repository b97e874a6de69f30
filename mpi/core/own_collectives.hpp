// SPDX-License-Identifier: Apache-2.0
// Small collectives of the runtime that the core makes for itself, in the name of a function of MPI.
#pragma once

#include <utility>
#include <vector>

#include "cohort/collectives.hpp"
#include "cohort/group.hpp"

namespace cohort::mpi::own {

inline void run(const char* name, const cohort::Group& group, detail::Call call) {
  call.as = name;
  detail::run(detail::Handle{detail::state_of(group), {}}, std::move(call));
}

// The values of all members, by rank.
template <class T>
std::vector<T> concat(const char* name, const cohort::Group& group, T value) {
  std::vector<T> all(static_cast<std::size_t>(group.size()));
  run(name, group,
      detail::call_of<T>(Operation::concat, detail::memory_of_value(value), detail::memory_of(all), Where{}));
  return all;
}

template <MutableElements R>
void bcast(const char* name, const cohort::Group& group, R&& data, Rank root) {
  const detail::Memory memory = detail::memory_of(data);
  run(name, group,
      detail::with_root(detail::in_place_call_of<detail::ElementOf<R>>(Operation::bcast, memory, Where{}), root));
}

template <MutableElements R, class Operator>
void combine(const char* name, const cohort::Group& group, R&& data, const Operator& operation) {
  const detail::Memory memory = detail::memory_of(data);
  run(name, group,
      detail::reduction_call_of<detail::ElementOf<R>>(Operation::combine, memory, memory, operation, Where{}));
}

}  // namespace cohort::mpi::own
