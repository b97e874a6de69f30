// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/job_directory.hpp"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "cohort/error.hpp"

namespace cohort {

namespace {

std::string directory_name() { return "/tmp/cohort-" + std::to_string(::getuid()); }

// The user of a process that is a cohort launcher, by its name.
std::optional<uid_t> user_of_cohort(int process) {
  const std::string folder = "/proc/" + std::to_string(process);
  std::string name;
  std::getline(std::ifstream(folder + "/comm"), name);
  struct stat status {};
  if (name != "cohort" || ::stat(folder.c_str(), &status) != 0) return std::nullopt;
  return status.st_uid;
}

}  // namespace

std::string job_directory() {
  std::string path = directory_name();
  if (::mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
    throw Error(ErrorCode::job, "cannot make " + path + ": " + std::strerror(errno));
  }
  struct stat status {};
  const bool own = ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::getuid() &&
                   (status.st_mode & (S_IRWXG | S_IRWXO)) == 0;
  if (!own) throw Error(ErrorCode::job, path + " is not a folder of this user's alone");
  return path;
}

std::string job_socket(int launcher) { return job_directory() + "/" + std::to_string(launcher); }

void forget_job(int launcher) { ::unlink((directory_name() + "/" + std::to_string(launcher)).c_str()); }

std::string other_owner(int launcher) {
  const std::optional<uid_t> user = user_of_cohort(launcher);
  if (!user || *user == ::getuid()) return "";
  const passwd* entry = ::getpwuid(*user);
  return entry == nullptr ? std::to_string(*user) : entry->pw_name;
}

std::vector<int> running_jobs() {
  std::vector<int> jobs;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(job_directory(), ignored)) {
    const std::string name = entry.path().filename();
    int launcher = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), launcher);
    if (error != std::errc() || end != name.data() + name.size()) continue;
    if (::kill(launcher, 0) == 0) {
      jobs.push_back(launcher);
    } else {
      std::filesystem::remove(entry.path(), ignored);
    }
  }
  std::ranges::sort(jobs);
  return jobs;
}

}  // namespace cohort
