#include "launcher/orphans.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

namespace cohort {

namespace {

using namespace std::chrono_literals;

constexpr auto limit = 1s;

// Of every thread of this process.
std::vector<pid_t> children() {
  std::vector<pid_t> result;
  std::error_code error;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::ifstream file(thread.path() / "children");
    result.insert(result.end(), std::istream_iterator<pid_t>(file), std::istream_iterator<pid_t>());
  }
  return result;
}

// One that has ended, and only has not been waited for, has no environment any more.
bool carries(pid_t process, const std::string& setting) {
  std::ifstream file("/proc/" + std::to_string(process) + "/environ", std::ios::binary);
  for (std::string entry; std::getline(file, entry, '\0');) {
    if (entry == setting) return true;
  }
  return false;
}

}  // namespace

void adopt_orphans() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }

std::string mark_of_descent() { return "COHORT_STARTED_BY=" + std::to_string(::getpid()); }

void kill_marked_children() {
  const std::string mark = mark_of_descent();
  const auto deadline = std::chrono::steady_clock::now() + limit;
  for (bool found = true; found;) {
    found = false;
    for (const pid_t child : children()) {
      if (!carries(child, mark)) continue;
      found = true;
      // By its number, which is nobody else's before it has been waited for.
      const auto process = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
      ::kill(child, SIGKILL);
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
      pollfd ended{process, POLLIN, 0};
      const bool in_time = left > 0ms && process >= 0 && ::poll(&ended, 1, static_cast<int>(left.count())) > 0;
      if (process >= 0) ::close(process);
      if (!in_time) return;
    }
  }
}

}  // namespace cohort
