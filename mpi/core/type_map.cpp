// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/type_map.hpp"

namespace cohort::mpi {
namespace {

// The bounds of `number` copies.
Bounds spread(const Bounds& one, Aint displacement, Count number, Aint stride) {
  const Aint last = sum(displacement, product(stride, number - 1));
  return {sum(one.lower, std::min(displacement, last)), sum(one.upper, std::max(displacement, last))};
}

void include(Bounds& all, bool is_first, const Bounds& more) {
  all = is_first ? more : Bounds{std::min(all.lower, more.lower), std::max(all.upper, more.upper)};
}

}  // namespace

TypeMap::TypeMap() : signature(std::make_shared<const Signature>()) {}

TypeMap::TypeMap(const Value& value) : alignment(value.alignment) {
  Assembly assembly;
  const auto add = [&assembly](const Value& one, Aint place) {
    const auto block = std::make_shared<const Layout>(Layout{one.size, 1, Layout::Block{}});
    assembly.add({place, block}, 1, one.size);
  };
  if (value.is_pair()) {
    for (std::size_t i = 0; i < value.halves.size(); ++i) add(*value.halves[i], value.places[i]);
    true_bounds.upper = value.places[1] + value.halves[1]->size;
  } else {
    add(value, 0);
    true_bounds.upper = value.size;
  }
  padded_bounds = true_bounds;
  data = assembly.finish();
  Signature values;
  values.append(value, 1);
  signature = std::make_shared<const Signature>(std::move(values));
}

Aint TypeMap::extent() const {
  if (is_marked) return marks.upper - marks.lower;
  const Aint span = padded_bounds.upper - padded_bounds.lower;
  return sum(span, alignment - 1) / alignment * alignment;
}

TypeMap TypeMap::repeated(Count number, Aint stride) const {
  TypeMapBuilder builder;
  builder.add(*this, 0, number, stride);
  return builder.finish();
}

TypeMap TypeMap::resized(Aint lower_bound, Aint extent) const {
  TypeMap result = *this;
  result.is_marked = true;
  result.marks = {lower_bound, sum(lower_bound, extent)};
  return result;
}

void TypeMapBuilder::add(const TypeMap& part, Aint displacement, Count number, Aint stride) {
  if (number == 0) return;
  if (part.is_marked) {
    include(result_.marks, !result_.is_marked, spread(part.marks, displacement, number, stride));
    result_.is_marked = true;
  }
  if (!part.has_data()) return;
  const bool is_first = signature_.runs.empty();
  include(result_.true_bounds, is_first, spread(part.true_bounds, displacement, number, stride));
  const Aint lower = part.true_bounds.lower;
  include(result_.padded_bounds, is_first, spread({lower, sum(lower, part.extent())}, displacement, number, stride));
  result_.alignment = std::max(result_.alignment, part.alignment);
  signature_.append(part.signature, number);
  data_.add({sum(part.data.offset, displacement), part.data.layout}, number, stride);
}

TypeMap TypeMapBuilder::finish() {
  result_.data = data_.finish();
  result_.signature = std::make_shared<const Signature>(std::move(signature_));
  return std::move(result_);
}

}  // namespace cohort::mpi
