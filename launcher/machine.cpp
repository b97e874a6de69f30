#include "launcher/machine.hpp"

#include <unistd.h>

#include <fstream>

namespace cohort {

Machine this_machine() {
  Machine machine;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> machine.boot;
  machine.processors = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  return machine;
}

}  // namespace cohort
