// What develop mode remembers of the program's calls.
#pragma once

#include "runtime/develop/lists.hpp"
#include "runtime/develop/overlaps.hpp"
#include "runtime/failures/fault.hpp"
#include "runtime/receive_order.hpp"

namespace cohort::detail {

struct Checks {
  ReceiveOrder receive_order;
  Lists lists{};
  Overlaps overlaps{};
  FaultPointer latest_group_fault{};  // maybe why this process leaves
};

}  // namespace cohort::detail
