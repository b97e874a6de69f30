// SPDX-License-Identifier: Apache-2.0
// Which objects the standard's predefined handles stand for.
#include "mpi/core/communicator.hpp"
#include "mpi/faces/common/predefined.hpp"
#include "mpi/faces/standard/face.hpp"

namespace cohort::mpi {

std::uintptr_t handle_of_new(Object& object) { return reinterpret_cast<std::uintptr_t>(&object); }
void handle_gone(Object& object) { faces::give_back_number(object); }

namespace faces {

std::int32_t first_number(Kind /*kind*/) { return standard::Face::first_number; }

namespace standard {
namespace {

void set(int handle, Object* object) {
  Face::predefined[static_cast<std::size_t>(handle)] = object;
  if (object == nullptr) return;
  object->handle = static_cast<std::uintptr_t>(handle);
  object->fortran_handle = handle;
}

// Programs may use all but communicators before MPI_Init.
[[gnu::constructor]] void set_all() {
  for (const auto& each : Values::predefined_objects) set(each.handle, predefined_object(each.kind, each.core));
}

}  // namespace

void Face::open() {
  set(abi::comm_world, &Communicator::world());
  set(abi::comm_self, &Communicator::self());
}

}  // namespace standard
}  // namespace faces
}  // namespace cohort::mpi
