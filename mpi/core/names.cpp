// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/names.hpp"

#include "mpi/constants.hpp"

namespace cohort::mpi {
namespace {

std::string_view cut(std::string_view name) { return name.substr(0, abi::max_object_name - 1); }

}  // namespace

void comm_set_name(Communicator& communicator, std::string_view name) { communicator.name = cut(name); }

void comm_get_name(const Communicator* communicator, std::string& name) {
  name = communicator != nullptr ? communicator->name : "MPI_COMM_NULL";
}

void type_set_name(Datatype& type, std::string_view name) { type.name = cut(name); }

void type_get_name(const Datatype* type, std::string& name) {
  name = type != nullptr ? type->name : "MPI_DATATYPE_NULL";
}

}  // namespace cohort::mpi
