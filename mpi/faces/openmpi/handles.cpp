// SPDX-License-Identifier: Apache-2.0
// Which objects Open MPI's predefined handles stand for. The exported objects may be copies in the program, whose
// addresses are known when the library has been loaded.
#include <algorithm>

#include "mpi/core/communicator.hpp"
#include "mpi/faces/common/predefined.hpp"
#include "mpi/faces/openmpi/face.hpp"

namespace cohort::mpi {

std::uintptr_t handle_of_new(Object& object) { return reinterpret_cast<std::uintptr_t>(&object.self); }
void handle_gone(Object& object) { faces::give_back_number(object); }

namespace faces {

std::int32_t first_number(Kind /*kind*/) { return openmpi::Face::first_number; }

namespace openmpi {
namespace {

void set(const Values::Predefined& handle, Object* object) {
  *static_cast<Object**>(handle.handle) = object;
  if (object == nullptr || handle.is_second_name) return;
  object->handle = reinterpret_cast<std::uintptr_t>(handle.handle);
  object->fortran_handle = handle.number;
}

Object* communicator(int core) {
  return core == abi::comm_world ? &Communicator::world() : core == abi::comm_self ? &Communicator::self() : nullptr;
}

// Programs may use all but communicators before MPI_Init.
[[gnu::constructor]] void set_all() {
  for (const auto& each : Values::predefined_objects) set(each, predefined_object(each.kind, each.core));
}

}  // namespace

void Face::open() {
  for (const Predefined& each : predefined_objects) {
    if (each.kind == Kind::communicator) set(each, communicator(each.core));
  }
}

Object* Face::predefined_number(Kind kind, std::int32_t number) {
  const auto found = std::ranges::find_if(predefined_objects, [&](const Predefined& each) {
    return each.kind == kind && each.number == number && !each.is_second_name;
  });
  return found != std::ranges::end(predefined_objects) ? find(kind, found->handle) : nullptr;
}

}  // namespace openmpi
}  // namespace faces
}  // namespace cohort::mpi
