// An exception that nobody catches. One that follows from another process's mistake or death ends this process quietly:
// the launcher names the cause, and a core of a bystander would be of no use. Any other goes on as it always does; the
// launcher is told its words first.
#pragma once

#include <memory>

namespace cohort::detail {

class Runtime;

// By join(), before anything can be thrown that the launcher knows of; and with the runtime, once there is one.
void end_quietly_as_bystander();
void tell_uncaught_by(const std::shared_ptr<Runtime>& runtime);

}  // namespace cohort::detail
