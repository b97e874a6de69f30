// SPDX-License-Identifier: Apache-2.0
// The reports of mistakes to the launcher, which decides whose mistakes they are.
#include <fmt/format.h>

#include "runtime/calls/where.hpp"
#include "runtime/groups/group_state.hpp"
#include "runtime/runtime.hpp"

namespace cohort::detail {

// Nothing is reported about a loss, which the launcher knows of, about a broken runtime, for which no group is to
// blame, and about a revocation, which is no mistake.
void Runtime::blame(const Fault& fault) {
  if (!control_ || failures_.broken() || left() || fault.failure || fault.code == ErrorCode::revoked) return;
  const Pid culprit = fault.culprit < 0 ? job_.me : fault.culprit;
  if (culprit != job_.me) mistakes_.others.note_another(fault.cause);
  if (mistakes_.others.may_tell()) control_->tell({culprit, fault.cause});
}

void Runtime::tell_uncaught(const std::string& words, bool is_error) {
  if (control_) control_->tell({job_.me, words, is_error ? Blamed::By::error : Blamed::By::exception});
}

void Runtime::tell_abort(const std::string& cause, const std::vector<Pid>& members) {
  if (control_) control_->tell({job_.me, cause, Blamed::By::abort, members});
}

void Runtime::refuse_entry(const void* frame, const std::string& before, const std::string& behind,
                           ErrorContext context) {
  tell_of_longjmp(frame);
  throw Error(is_fork() ? ErrorCode::left : ErrorCode::argument, before + why_inert(frame) + behind,
              std::move(context));
}

void Runtime::tell_of_longjmp(const void* frame) {
  if (is_fork() || !OperatorCall::left_by_longjmp(frame) || !control_) return;
  control_->tell({job_.me,
                  fmt::format("left the operator of {} without returning from it (longjmp)", OperatorCall::name()),
                  Blamed::By::longjmp});
}

}  // namespace cohort::detail
