// SPDX-License-Identifier: Apache-2.0
#include "runtime/calls/pending.hpp"

#include <algorithm>
#include <utility>

#include "runtime/groups/group_state.hpp"

namespace cohort::detail {

Pending::~Pending() {
  if (!begun_ || is_inert()) return;
  const Runtime::Lock lock(group_->runtime());
  leave_group();
}

void Pending::leave_group() {
  if (!std::exchange(begun_, false)) return;
  group_->remove(*this);
  runtime().driver().forget(end_, std::exchange(held_, false));
}

void Pending::begin(Looks& looks) {
  group_->add(*this);
  begun_ = true;
  try {
    start(looks);
  } catch (const std::exception& error) {
    if (is_fork()) throw;  // the user's operator has forked, and this is the child
    fail(std::make_shared<const Fault>(Fault{ErrorCode::internal, error.what()}), -1);
  }
}

bool Pending::asks(Pid pid) {
  if (std::ranges::find(asked_, pid) != asked_.end()) return false;
  asked_.push_back(pid);
  return true;
}

Runtime& Pending::runtime() const { return group_->runtime(); }

std::exception_ptr Pending::as_error(const FaultPointer& fault, Operation operation,
                                     std::optional<std::uint64_t> number, Pid peer, const std::string& place) const {
  return std::make_exception_ptr(error_of_call(*group_, *fault, operation, number, peer, place));
}

}  // namespace cohort::detail
