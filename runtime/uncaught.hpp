// SPDX-License-Identifier: Apache-2.0
// An exception that nobody catches. If it follows from another process's mistake or death, it ends this process
// quietly: the launcher names the cause, and a core dump of this process would be of no use. Any other exception ends
// the process as usual; the launcher gets its text first.
#pragma once

#include <memory>

namespace cohort::detail {

class Runtime;

// Called by join(), before anything that the launcher knows of can throw. tell_uncaught_by() follows when there is a
// runtime.
void end_quietly_as_bystander();
void tell_uncaught_by(const std::shared_ptr<Runtime>& runtime);

}  // namespace cohort::detail
