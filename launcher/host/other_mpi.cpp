// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/other_mpi.hpp"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "launcher/host/process_files.hpp"
#include "runtime/control/control_frames.hpp"

namespace cohort {

namespace {

constexpr int most_generations = 4;  // the process and three generations of descendants

// A file in memory, for reading; empty if it can't be read.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status {};
    if (descriptor >= 0 && ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
      const auto size = static_cast<std::size_t>(status.st_size);
      void* const bytes = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
      if (bytes != MAP_FAILED) bytes_ = {static_cast<const char*>(bytes), size};
    }
    if (descriptor >= 0) ::close(descriptor);
  }
  ~MappedFile() {
    if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return bytes_; }

 private:
  std::string_view bytes_;
};

// The value at this offset. Nothing if the file, which may hold anything, is too short.
template <class T>
std::optional<T> at(std::string_view file, std::uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

std::vector<Elf64_Phdr> segments_of(std::string_view file) {
  std::vector<Elf64_Phdr> segments;
  const auto header = at<Elf64_Ehdr>(file, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
    return {};
  for (std::uint64_t i = 0; i < header->e_phnum; ++i) {
    const auto segment = at<Elf64_Phdr>(file, header->e_phoff + i * sizeof(Elf64_Phdr));
    if (!segment) return {};
    segments.push_back(*segment);
  }
  return segments;
}

// The names of the libraries that a program declares as needed.
std::vector<std::string_view> needed_by(std::string_view file) {
  const std::vector<Elf64_Phdr> segments = segments_of(file);
  std::vector<std::uint64_t> names;  // within the strings
  std::uint64_t strings = 0;
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_DYNAMIC) continue;
    for (std::uint64_t i = 0; i < segment.p_filesz / sizeof(Elf64_Dyn); ++i) {
      const auto entry = at<Elf64_Dyn>(file, segment.p_offset + i * sizeof(Elf64_Dyn));
      if (!entry || entry->d_tag == DT_NULL) break;
      if (entry->d_tag == DT_NEEDED) names.push_back(entry->d_un.d_val);
      if (entry->d_tag == DT_STRTAB) strings = entry->d_un.d_ptr;
    }
  }
  std::vector<std::string_view> needed;
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_LOAD || strings < segment.p_vaddr || strings - segment.p_vaddr >= segment.p_filesz)
      continue;
    const std::uint64_t begin = strings - segment.p_vaddr + segment.p_offset;
    for (const std::uint64_t name : names) {
      if (begin >= file.size() || name >= file.size() - begin) continue;
      const std::string_view rest = file.substr(begin + name);
      needed.push_back(rest.substr(0, rest.find('\0')));
    }
  }
  return needed;
}

bool is_mpi(std::string_view library) {
  for (const std::string_view name :
       {"libmpi.so", "libmpich.so", "libmpi_abi.so", "libmpi_mpifh.so", "libmpichfort.so"}) {
    if (library.starts_with(name)) return true;
  }
  return false;
}

}  // namespace

std::string other_mpi_of(const std::string& program, const MpiFaces& faces) {
  const MappedFile file(program);
  for (const std::string_view library : needed_by(file.bytes())) {
    if (!is_mpi(library) || faces.has(library)) continue;
    const bool joins = file.bytes().find(control_variable) != std::string_view::npos;  // contains our library
    return joins ? "" : std::string(library);
  }
  return "";
}

std::string other_mpi_in(pid_t process, const MpiFaces& faces) {
  std::vector<pid_t> generation{process};
  for (int i = 0; i < most_generations && !generation.empty(); ++i) {
    std::vector<pid_t> children;
    for (const pid_t one : generation) {
      std::istringstream maps(text_of(one, "maps"));
      for (std::string line; std::getline(maps, line);) {
        const std::size_t path = line.find('/');
        if (path == std::string::npos || faces.holds(line.substr(path))) continue;
        const std::string library = line.substr(line.rfind('/') + 1);
        if (is_mpi(library)) return library;
      }
      std::istringstream below(text_of(one, ("task/" + std::to_string(one) + "/children").c_str()));
      for (pid_t child = 0; below >> child;) children.push_back(child);
    }
    generation = std::move(children);
  }
  return "";
}

}  // namespace cohort
