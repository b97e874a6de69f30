// SPDX-License-Identifier: Apache-2.0
// The operands and results of reductions.
#pragma once

#include "mpi/core/data.hpp"
#include "mpi/core/op.hpp"
#include "mpi/core/plan.hpp"

namespace cohort::mpi {

// The arguments of a reduction, checked. Elements of a predefined type take part as they lie in memory, with padding.
class Operands {
 public:
  Operands(const void* sendbuf, void* recvbuf, Datatype& type, Op& op)
      : sendbuf_(sendbuf), recvbuf_(recvbuf), type_(type), reduction_(op.on(type)) {}

  bool in_place() const { return sendbuf_ == mpi::in_place; }
  Data sent(Count count) const { return as_they_travel(data_at(sendbuf_, count, &type_, "sendbuf")); }
  Data received(Count count) const { return as_they_travel(data_at(recvbuf_, count, &type_, "recvbuf")); }
  // In place, the receive buffer holds what is reduced.
  Data reduced(Count count) const { return in_place() ? received(count) : sent(count); }
  const ReductionOfType& reduction() const { return reduction_; }

 private:
  Data as_they_travel(const Data& data) const {
    if (!type_.is_predefined_value() || type_.extent == type_.size) return data;
    return {data.base, data.count * type_.extent, &Datatype::predefined_type(abi::type_byte)};
  }

  const void* const sendbuf_;
  void* const recvbuf_;
  Datatype& type_;
  const ReductionOfType reduction_;
};

}  // namespace cohort::mpi
