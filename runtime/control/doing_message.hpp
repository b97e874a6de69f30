// What a process is doing, as it is told.
#pragma once

#include "runtime/observe/doing.hpp"

namespace cohort {

namespace process::v1 {
class Doing;
}

void write(const Doing& doing, process::v1::Doing& message);

}  // namespace cohort
