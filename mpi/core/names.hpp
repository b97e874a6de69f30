// SPDX-License-Identifier: Apache-2.0
// The names that a program gives to communicators and datatypes.
#pragma once

#include <string>
#include <string_view>

#include "mpi/core/communicator.hpp"
#include "mpi/core/datatype.hpp"

namespace cohort::mpi {

// Names are cut to what MPI_MAX_OBJECT_NAME leaves room for. The null handles have the names of their constants.
void comm_set_name(Communicator& communicator, std::string_view name);
void comm_get_name(const Communicator* communicator, std::string& name);
void type_set_name(Datatype& type, std::string_view name);
void type_get_name(const Datatype* type, std::string& name);

}  // namespace cohort::mpi
