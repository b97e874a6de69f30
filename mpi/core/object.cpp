#include "mpi/core/object.hpp"

namespace cohort::mpi {

Object::Object(Kind of) : kind(of) { handle = handle_of_new(*this); }

Object::~Object() { handle_gone(*this); }

}  // namespace cohort::mpi
