// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/signature.hpp"

#include <algorithm>

#include "mpi/core/layout.hpp"

namespace cohort::mpi {
namespace {

Count values_of(const Value& value) { return value.is_pair() ? 2 : 1; }

// One of a run's repetitions.
Count size_of_one(const Signature::Run& run) { return run.value != nullptr ? run.value->size : run.of->size; }
Count values_of_one(const Signature::Run& run) { return run.value != nullptr ? values_of(*run.value) : run.of->values; }

}  // namespace

void Signature::append(const Value& value, Count number) {
  if (number == 0) return;
  if (!runs.empty() && runs.back().value == &value) {
    runs.back().number = sum(runs.back().number, number);
  } else {
    runs.push_back({&value, nullptr, number});
  }
  size = sum(size, product(value.size, number));
  values = sum(values, product(values_of(value), number));
  external_size = sum(external_size, product(value.external_size, number));
}

void Signature::append(const SignatureRef& of, Count number) {
  if (number == 0 || of->runs.empty()) return;
  const Run& first = of->runs.front();
  if (of->runs.size() == 1) {
    const Count repeats = product(first.number, number);
    return first.value != nullptr ? append(*first.value, repeats) : append(SignatureRef(first.of), repeats);
  }
  if (!runs.empty() && runs.back().of == of) {
    runs.back().number = sum(runs.back().number, number);
  } else {
    runs.push_back({nullptr, of, number});
  }
  size = sum(size, product(of->size, number));
  values = sum(values, product(of->values, number));
  external_size = sum(external_size, product(of->external_size, number));
}

Count values_in(const Signature& signature, Count bytes) {
  if (bytes == 0) return 0;
  if (signature.size == 0) return -1;
  Count values = bytes / signature.size * signature.values;
  bytes %= signature.size;
  for (const Signature::Run& run : signature.runs) {
    const Count one = size_of_one(run);
    const Count whole = std::min(bytes / one, run.number);
    values += whole * values_of_one(run);
    bytes -= whole * one;
    if (whole == run.number) continue;
    if (bytes == 0) break;
    if (run.value != nullptr) return run.value->is_pair() && bytes == run.value->halves[0]->size ? values + 1 : -1;
    const Count rest = values_in(*run.of, bytes);
    return rest < 0 ? -1 : values + rest;
  }
  return values;
}

Count bytes_of(const Signature& signature, Count values) {
  Count bytes = product(values / signature.values, signature.size);
  values %= signature.values;
  for (const Signature::Run& run : signature.runs) {
    const Count one = values_of_one(run);
    const Count whole = std::min(values / one, run.number);
    bytes += whole * size_of_one(run);
    values -= whole * one;
    if (whole == run.number) continue;
    if (values == 0) break;
    return sum(bytes, run.value != nullptr ? run.value->halves[0]->size : bytes_of(*run.of, values));
  }
  return bytes;
}

}  // namespace cohort::mpi
