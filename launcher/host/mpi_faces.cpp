// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/mpi_faces.hpp"

#include <algorithm>
#include <filesystem>

namespace cohort {

MpiFaces MpiFaces::installed() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? MpiFaces() : MpiFaces((program.parent_path().parent_path() / "lib/cohort/mpi").string());
}

MpiFaces::MpiFaces(const std::string& folder) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    // bin holds the compilers.
    if (entry.is_directory(error) && entry.path().filename() != "bin") folders_.push_back(entry.path().string());
  }
  std::ranges::sort(folders_);
}

bool MpiFaces::has(std::string_view library) const {
  std::error_code error;
  return std::ranges::any_of(folders_, [&](const std::string& folder) {
    return std::filesystem::exists(std::filesystem::path(folder) / library, error);
  });
}

bool MpiFaces::holds(std::string_view path) const {
  return std::ranges::any_of(folders_, [&](const std::string& folder) { return path.starts_with(folder + "/"); });
}

std::string MpiFaces::library_path(const std::string& of_user) const {
  std::string path;
  for (const std::string& folder : folders_) path += (path.empty() ? "" : ":") + folder;
  if (of_user.empty()) return path;
  return path.empty() ? of_user : path + ":" + of_user;
}

}  // namespace cohort
