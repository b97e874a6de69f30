// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/orphans.hpp"

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

#include "launcher/clock.hpp"
#include "launcher/host/process_files.hpp"
#include "runtime/attended_time.hpp"

namespace cohort {

namespace {

using namespace std::chrono_literals;

constexpr auto orphans_limit = 1s;  // only time in which this process runs counts
constexpr auto step = 50ms;
constexpr auto variable = "COHORT_STARTED_BY=";

enum class Standing { ours, not_ours, not_known_yet, ended };

struct Found {
  pid_t process;
  Standing standing;
  friend bool operator==(const Found&, const Found&) = default;
};

// The mark of a job's processes on one host. The starter's process number distinguishes hosts that are containers on
// one machine.
std::string mark_of(std::uint64_t job, pid_t starter) { return fmt::format("{:016x}{:08x}", job, starter); }

// The children of all threads of this process.
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
  const bool has_arguments = !text_of(process, "cmdline").empty();  // read first: arguments imply an environment
  std::istringstream environment(text_of(process, "environ"));
  for (std::string entry; std::getline(environment, entry, '\0');) {
    if (entry.starts_with(variable) && entry.find(mark) != std::string::npos) return Standing::ours;
  }
  if (!environment.str().empty() || has_arguments) return Standing::not_ours;
  // Without arguments and environment, the process has ended or is in exec.
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

bool is_over(AttendedTime& time) {
  time.look(Clock::now());
  return time.now() >= orphans_limit;
}

bool has(const std::vector<Found>& all, Standing standing) {
  return std::ranges::find(all, standing, &Found::standing) != all.end();
}

bool send_signal(int descriptor, int number) {
  return ::syscall(SYS_pidfd_send_signal, descriptor, number, nullptr, 0) == 0;
}

// Kills the processes that carry the mark, and waits until they have ended.
std::vector<Found> look_and_kill(const std::vector<pid_t>& processes, const std::string& mark, AttendedTime& time) {
  std::vector<Found> result;
  std::vector<int> dying;
  for (const pid_t process : processes) {
    // Opens the pidfd before the check, so that the signal goes to the checked process even if its number is reused.
    const auto descriptor = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
    const Standing standing = standing_of(process, mark);
    result.push_back({process, standing});
    if (standing == Standing::ours && send_signal(descriptor, SIGKILL)) {
      dying.push_back(descriptor);
    } else {
      ::close(descriptor);
    }
  }
  for (const int descriptor : dying) {
    pollfd ended{descriptor, POLLIN, 0};
    while (::poll(&ended, 1, static_cast<int>(step.count())) != 1 && !is_over(time)) {
    }
    ::close(descriptor);
  }
  return result;
}

void rest(std::chrono::milliseconds time) { ::poll(nullptr, 0, static_cast<int>(time.count())); }

}  // namespace

Orphans::Orphans(std::uint64_t job) : mark_(mark_of(job, ::getpid())) { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }

void Orphans::mark(std::vector<std::string>& environment) const {
  const auto outer =
      std::ranges::find_if(environment, [](const std::string& setting) { return setting.starts_with(variable); });
  if (outer != environment.end()) {
    *outer += ":" + mark_;
  } else {
    environment.push_back(variable + mark_);
  }
}

void Orphans::signal(int descriptor, pid_t process, int number) const {
  if (standing_of(process, mark_) == Standing::ours) send_signal(descriptor, number);
}

void Orphans::end() const {
  AttendedTime time(2 * step, Clock::now());
  // Ends after two looks with the same result: children that an ended process left to us appear at the second look.
  std::vector<Found> before;
  for (bool more = true; more && !is_over(time);) {
    std::vector<Found> now = look_and_kill(children(), mark_, time);
    const bool begins = has(now, Standing::not_known_yet);
    more = begins || has(now, Standing::ours) || now != before;
    before = std::move(now);
    if (begins) rest(1ms);  // exec takes some microseconds
  }
}

void Orphans::end_everywhere(std::uint64_t job, pid_t starter) {
  AttendedTime time(2 * step, Clock::now());
  const std::string mark = mark_of(job, starter);
  // Ends after two looks in a row that find nothing: a process in exec is recognised only after the exec.
  int without = 0;
  for (int looks = 0; without < 2 && (looks < 2 || !is_over(time)); ++looks) {
    if (looks > 0) rest(20ms);
    without = has(look_and_kill(all_processes(), mark, time), Standing::ours) ? 0 : without + 1;
  }
}

}  // namespace cohort
