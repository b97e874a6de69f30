// SPDX-License-Identifier: Apache-2.0
// Which objects MPICH's predefined handles stand for.
#include "mpi/core/communicator.hpp"
#include "mpi/faces/common/predefined.hpp"
#include "mpi/faces/mpich/face.hpp"

namespace cohort::mpi {

std::uintptr_t handle_of_new(Object& /*object*/) { return 0; }
void handle_gone(Object& object) { faces::give_back_number(object); }

namespace faces {

std::int32_t first_number(Kind kind) { return mpich::Face::first_number(kind); }

namespace mpich {
namespace {

void set(Kind kind, std::int32_t handle, Object* object) {
  const auto bits = static_cast<std::uint32_t>(handle);
  Face::predefined[static_cast<std::size_t>(kind)][Face::place_of(bits)] = object;
  if (object == nullptr) return;
  object->handle = bits;
  object->fortran_handle = handle;
}

// Programs may use all but communicators before MPI_Init.
[[gnu::constructor]] void set_all() {
  for (const auto& each : Values::predefined_objects) {
    set(each.kind, each.handle, predefined_object(each.kind, each.core));
  }
}

}  // namespace

void Face::open() {
  set(Kind::communicator, world_handle, &Communicator::world());
  set(Kind::communicator, self_handle, &Communicator::self());
}

}  // namespace mpich
}  // namespace faces
}  // namespace cohort::mpi
