// SPDX-License-Identifier: Apache-2.0
#include "runtime/shared_pointers.hpp"

#include "groups/grid_shape.hpp"
#include "runtime/calls/pending.hpp"
#include "runtime/calls/planned_call.hpp"
#include "runtime/calls/prepared_call.hpp"
#include "runtime/groups/group_state.hpp"
#include "runtime/runtime.hpp"

namespace cohort::detail {

template class Shared<const void>;
template class Shared<const GridShape>;
template class Shared<const NamedAlgorithm>;
template class Shared<GroupState>;
template class Shared<Pending>;
template class Shared<PreparedCall>;
template class Shared<Runtime>;

Shared<const void> shared_object(const void* object, void (*destroy)(const void* object)) {
  return std::shared_ptr<const void>(object, destroy);
}

}  // namespace cohort::detail
