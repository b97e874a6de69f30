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
#include <utility>

#include "launcher/process_files.hpp"

namespace cohort {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto limit = 1s;
constexpr auto variable = "COHORT_STARTED_BY=";

enum class Standing { ours, not_ours, not_known_yet, ended };

struct Child {
  pid_t process;
  Standing standing;
  friend bool operator==(const Child&, const Child&) = default;
};

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

Standing standing_of(pid_t process, const std::string& mark) {
  const bool has_arguments = !text_of(process, "cmdline").empty();  // first: where they are, the environment is too
  std::istringstream environment(text_of(process, "environ"));
  for (std::string entry; std::getline(environment, entry, '\0');) {
    if (entry.starts_with(variable) && entry.find(mark) != std::string::npos) return Standing::ours;
  }
  if (!environment.str().empty() || has_arguments) return Standing::not_ours;
  // One that has ended has neither any more; one that begins a program has none yet.
  const char state = state_of(process);
  return state == '?' || state == 'Z' || state == 'X' ? Standing::ended : Standing::not_known_yet;
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
  // Two looks that find the same: what one that ended has left us was there to be seen by the second.
  std::vector<Child> before;
  for (bool more = true; more && Clock::now() < deadline;) {
    std::vector<Child> now;
    for (const pid_t child : children()) now.push_back({child, standing_of(child, mark_)});
    std::vector<int> dying;
    bool begins = false;
    for (const Child& child : now) {
      begins = begins || child.standing == Standing::not_known_yet;
      if (child.standing != Standing::ours) continue;
      // By its number, which is nobody else's before it has been waited for.
      const auto process = static_cast<int>(::syscall(SYS_pidfd_open, child.process, 0));
      if (process >= 0) dying.push_back(process);
      ::kill(child.process, SIGKILL);
    }
    more = begins || !dying.empty() || now != before;
    before = std::move(now);
    for (const int process : dying) {
      pollfd ended{process, POLLIN, 0};
      ::poll(&ended, 1, ms_until(deadline));  // a signal cuts it short: it is found once more then
      ::close(process);
    }
    if (begins) ::poll(nullptr, 0, 1);  // some microseconds do
  }
}

}  // namespace cohort
