#include "launcher/orphans.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>
#include <utility>

#include "launcher/process_files.hpp"

namespace cohort {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto limit = 1s;
constexpr auto variable = "COHORT_STARTED_BY=";

enum class Standing { ours, not_ours, not_known_yet, ended };

struct Found {
  pid_t process;
  Standing standing;
  friend bool operator==(const Found&, const Found&) = default;
};

std::string mark_of(std::uint64_t job) { return fmt::format("{:016x}", job); }

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

std::vector<pid_t> all_processes() {
  std::vector<pid_t> result;
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/proc", error), end; entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename();
    pid_t process = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), process).ec == std::errc()) result.push_back(process);
  }
  return result;
}

std::vector<Found> look_at(const std::vector<pid_t>& processes, const std::string& mark) {
  std::vector<Found> result;
  for (const pid_t process : processes) result.push_back({process, standing_of(process, mark)});
  return result;
}

int ms_until(Clock::time_point deadline) {
  return static_cast<int>(std::max(std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()), 0ms).count());
}

// Returns whether there are any. A signal to this process cuts the waiting short: they are found once more then.
bool kill_ours(const std::vector<Found>& found, const std::string& mark, Clock::time_point deadline) {
  std::vector<int> dying;
  bool any = false;
  for (const auto& [process, standing] : found) {
    // Once more: if it is no child of this process, its number may be another's by now.
    if (standing != Standing::ours || standing_of(process, mark) != Standing::ours) continue;
    any = true;
    const auto descriptor = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
    if (descriptor >= 0) dying.push_back(descriptor);
    ::kill(process, SIGKILL);
  }
  for (const int descriptor : dying) {
    pollfd ended{descriptor, POLLIN, 0};
    ::poll(&ended, 1, ms_until(deadline));
    ::close(descriptor);
  }
  return any;
}

void let_them_begin() { ::poll(nullptr, 0, 1); }  // some microseconds do

}  // namespace

Orphans::Orphans(std::uint64_t job) : mark_(mark_of(job)) { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }

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
  std::vector<Found> before;
  for (bool more = true; more && Clock::now() < deadline;) {
    std::vector<Found> now = look_at(children(), mark_);
    const bool killed = kill_ours(now, mark_, deadline);
    const bool begins = std::ranges::find(now, Standing::not_known_yet, &Found::standing) != now.end();
    more = killed || begins || now != before;
    before = std::move(now);
    if (begins) let_them_begin();
  }
}

void Orphans::end_everywhere(std::uint64_t job) {
  const Clock::time_point deadline = Clock::now() + limit;
  const std::string mark = mark_of(job);
  // Two looks in a row: one that begins a program is not known before it has.
  for (int without = 0; without < 2 && Clock::now() < deadline; let_them_begin()) {
    without = kill_ours(look_at(all_processes(), mark), mark, deadline) ? 0 : without + 1;
  }
}

}  // namespace cohort
