// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/op.hpp"

#include <array>

#include "mpi/core/mistake.hpp"

namespace cohort::mpi {
namespace {

constexpr std::size_t first_operation = abi::op_op_null + 1;
constexpr std::size_t operation_handles = abi::op_no_op - abi::op_op_null;

// These two are for one-sided communication: they keep one of their operands, so the order counts.
bool keeps_one(int abi_handle) { return abi_handle == abi::op_replace || abi_handle == abi::op_no_op; }

std::array<Op*, operation_handles> make_predefined() {
  std::array<Op*, operation_handles> made{};
  for (const int handle :
       {abi::op_sum, abi::op_min, abi::op_max, abi::op_prod, abi::op_band, abi::op_bor, abi::op_bxor, abi::op_land,
        abi::op_lor, abi::op_lxor, abi::op_minloc, abi::op_maxloc, abi::op_replace, abi::op_no_op}) {
    made[static_cast<std::size_t>(handle) - first_operation] = new Op(handle);
  }
  return made;
}

}  // namespace

Op::Op(int abi_handle) : Object(Kind::op), commutative(!keeps_one(abi_handle)), builtin_(abi_handle) {
  predefined = true;
}

Op::Op(UserOperator function, bool is_commutative) : Object(Kind::op), commutative(is_commutative), user_(function) {}

Op& Op::predefined_op(int abi_handle) {
  static const std::array<Op*, operation_handles> all = make_predefined();
  const auto place = static_cast<std::size_t>(abi_handle) - first_operation;
  check(place < all.size() && all[place] != nullptr, abi::err_op, "no predefined operator has this handle");
  return *all[place];
}

ReductionOfType Op::on(Datatype& type) const {
  if (builtin_ == 0) return user_reduction(user_, commutative, type);
  check(!keeps_one(builtin_), abi::err_op,
        "MPI_REPLACE and MPI_NO_OP are operators of one-sided communication only, not of reductions");
  const Basic* const basic = type.is_predefined_value() ? type.basic() : nullptr;
  check(basic != nullptr, abi::err_op,
        "a predefined operator works on predefined datatypes only; for a derived datatype, make one by MPI_Op_create");
  return builtin_reduction(builtin_, *basic);
}

void Op::apply(const void* in, void* inout, Count count, Datatype& type) const {
  if (builtin_ == 0) {
    if (count > 0) user_.call(user_.function, const_cast<void*>(in), inout, count, type);
    return;
  }
  const ReductionOfType found = on(type);
  auto* const result = static_cast<std::byte*>(inout);
  found.reduction.apply(nullptr, static_cast<const std::byte*>(in), result, result, static_cast<std::size_t>(count));
}

}  // namespace cohort::mpi
