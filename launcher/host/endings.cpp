// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/endings.hpp"

#include <sys/ioctl.h>
#include <sys/wait.h>

#include <cstdint>
#include <cstring>
#include <iterator>
#include <sstream>
#include <vector>

#include "launcher/host/process_files.hpp"

namespace cohort {

namespace {

// struct pidfd_info of <linux/pidfd.h>, in its first size. Since Linux 6.15 it holds the exit status once the parent
// has reaped the process.
struct PidfdInfo {
  std::uint64_t mask;
  std::uint64_t cgroup;
  std::uint32_t ids[11];  // NOLINT: as the system has it
  std::int32_t status;
};
static_assert(sizeof(PidfdInfo) == 64);
constexpr std::uint64_t exit_mask = 1u << 3;

std::optional<int> status_by_descriptor(int descriptor) {
  PidfdInfo info{};
  info.mask = exit_mask;
  if (::ioctl(descriptor, _IOWR(0xff, 11, PidfdInfo), &info) != 0 || (info.mask & exit_mask) == 0) return std::nullopt;
  return info.status;
}

// The last field of /proc/PID/stat, which exists until the parent has reaped the process.
std::optional<int> status_by_file(pid_t process) {
  const std::string text = text_of(process, "stat");
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos || state_of(process) != 'Z') return std::nullopt;
  std::istringstream words(text.substr(name_end + 1));
  const std::vector<std::string> fields{std::istream_iterator<std::string>(words), {}};
  constexpr std::size_t fields_of_linux_3 = 50;
  if (fields.size() < fields_of_linux_3) return std::nullopt;
  return std::stoi(fields[fields_of_linux_3 - 1]);
}

}  // namespace

// Asks the descriptor twice, because the parent may reap the process between the first two calls.
std::optional<int> status_of(pid_t process, int descriptor) {
  if (const auto status = status_by_descriptor(descriptor)) return status;
  if (const auto status = status_by_file(process)) return status;
  return status_by_descriptor(descriptor);
}

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
