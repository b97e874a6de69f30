#include "launcher/host/endings.hpp"

#include <sys/wait.h>

#include <cstring>

namespace cohort {

std::string describe_ending(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const int number = WTERMSIG(wait_status);
    return "was killed by signal " + std::to_string(number) + " (" + ::strsignal(number) + ")" +
           (WCOREDUMP(wait_status) ? ", core dumped" : "");
  }
  return "exited with status " + std::to_string(WEXITSTATUS(wait_status));
}

int exit_code(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

}  // namespace cohort
