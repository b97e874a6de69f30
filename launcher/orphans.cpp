#include "launcher/orphans.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "launcher/process_files.hpp"

namespace cohort {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto limit = 1s;
constexpr auto variable = "COHORT_STARTED_BY=";

enum class Mark { ours, not_ours, not_known_yet };

// Of every thread of this process.
std::vector<pid_t> children() {
  std::vector<pid_t> result;
  std::error_code error;
  for (std::filesystem::directory_iterator thread("/proc/self/task", error), end; thread != end;
       thread.increment(error)) {
    std::ifstream file(thread->path() / "children");
    result.insert(result.end(), std::istream_iterator<pid_t>(file), std::istream_iterator<pid_t>());
  }
  return result;
}

Mark mark_of(pid_t process, const std::string& mark) {
  const bool has_arguments = !text_of(process, "cmdline").empty();  // first: where they are, the environment is too
  std::istringstream environment(text_of(process, "environ"));
  for (std::string entry; std::getline(environment, entry, '\0');) {
    if (entry.starts_with(variable) && entry.find(mark) != std::string::npos) return Mark::ours;
  }
  // One that has ended has neither environment nor arguments any more; one that begins a program has none yet.
  if (!environment.str().empty() || has_arguments) return Mark::not_ours;
  const char state = state_of(process);
  return state == '?' || state == 'Z' || state == 'X' ? Mark::not_ours : Mark::not_known_yet;
}

int ms_until(Clock::time_point deadline) {
  return static_cast<int>(std::max(std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()), 0ms).count());
}

}  // namespace

Orphans::Orphans(std::uint64_t job) : mark_(fmt::format("{:016x}", job)) { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }

void Orphans::mark(std::vector<std::string>& environment) const {
  const auto outer =
      std::ranges::find_if(environment, [](const std::string& setting) { return setting.starts_with(variable); });
  if (outer != environment.end()) {
    *outer += ":" + mark_;
  } else {
    environment.push_back(variable + mark_);
  }
}

void Orphans::end() const {
  const Clock::time_point deadline = Clock::now() + limit;
  std::vector<pid_t> before;
  for (bool more = true; more && Clock::now() < deadline;) {
    const std::vector<pid_t> now = children();
    more = now != before;  // one that ended after the look before may have left us children since
    before = now;
    std::vector<int> dying;
    for (const pid_t child : now) {
      const Mark mark = mark_of(child, mark_);
      if (mark == Mark::not_ours) continue;
      more = true;
      if (mark == Mark::not_known_yet) continue;
      // By its number, which is nobody else's before it has been waited for.
      const auto process = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
      if (process >= 0) dying.push_back(process);
      ::kill(child, SIGKILL);
    }
    for (const int process : dying) {
      pollfd ended{process, POLLIN, 0};
      ::poll(&ended, 1, ms_until(deadline));
      ::close(process);
    }
    if (more && dying.empty()) ::poll(nullptr, 0, 1);  // what begins a program needs some microseconds
  }
}

}  // namespace cohort
