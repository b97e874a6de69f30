// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/program.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <vector>

namespace cohort {

namespace {

// 0, or why this file can't be executed.
int executable_error(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return errno;
  if (S_ISDIR(status.st_mode)) return EISDIR;
  return ::access(path.c_str(), X_OK) == 0 ? 0 : errno;
}

ProgramFile not_found(int error) {
  const bool missing = error == ENOENT || error == ENOTDIR;
  return {"", missing ? 127 : 126, std::strerror(error)};
}

}  // namespace

std::string own_path() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).string();
}

ProgramFile find_program(const std::string& name, const std::string& directory, const std::string& search_path) {
  if (name.find('/') != std::string::npos) {
    const std::string path = name.front() == '/' ? name : directory + "/" + name;
    const int error = executable_error(path);
    return error == 0 ? ProgramFile{path, 0, ""} : not_found(error);
  }

  std::vector<std::string> folders;
  std::istringstream list(search_path.empty() ? "/usr/local/bin:/usr/bin:/bin" : search_path);
  for (std::string folder; std::getline(list, folder, ':');) folders.push_back(folder.empty() ? directory : folder);

  int worst = ENOENT;
  for (const std::string& folder : folders) {
    const std::string path = (folder.front() == '/' ? folder : directory + "/" + folder) + "/" + name;
    const int error = executable_error(path);
    if (error == 0) return {path, 0, ""};
    if (error == EACCES) worst = EACCES;
  }
  const std::string beside = std::filesystem::path(own_path()).parent_path().string() + "/" + name;
  const std::string here = directory + "/" + name;
  const bool is_here = executable_error(here) == 0;
  const int error = executable_error(beside);
  if (error == 0) {
    std::error_code none;
    if (!is_here || std::filesystem::equivalent(beside, here, none)) return {beside, 0, ""};
    // Refuses both: either choice could be the program that the user does not mean.
    return {"", 126, "there is one beside cohort and one in the working directory: say " + beside + " or ./" + name};
  }
  if (error == EACCES) worst = EACCES;
  ProgramFile result = not_found(worst);
  if (result.status == 127) result.reason = "not found in PATH, nor beside cohort";
  if (is_here) result.reason += "; there is one in the working directory: ./" + name;
  return result;
}

}  // namespace cohort
