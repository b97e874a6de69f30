// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/object.hpp"

namespace cohort::mpi {

Object::Object(Kind of) : kind(of) { handle = handle_of_new(*this); }

Object::~Object() { handle_gone(*this); }

}  // namespace cohort::mpi
