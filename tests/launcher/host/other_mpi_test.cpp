// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/other_mpi.hpp"

#include <elf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

namespace cohort {
namespace {

template <class T>
void append(std::string& to, const T& value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// A program's file, as far as it tells what it needs.
std::string program_that_needs(const std::vector<std::string>& libraries, const std::string& contents = "") {
  std::string strings(1, '\0');
  std::string entries;
  for (const std::string& library : libraries) {
    append(entries, Elf64_Dyn{DT_NEEDED, {strings.size()}});
    strings += library + '\0';
  }
  constexpr std::uint64_t base = 0x400000, headers = sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr);
  const std::uint64_t size = entries.size() + 2 * sizeof(Elf64_Dyn);
  append(entries, Elf64_Dyn{DT_STRTAB, {base + headers + size}});
  append(entries, Elf64_Dyn{DT_NULL, {0}});
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_phoff = sizeof header;
  header.e_phnum = 2;
  Elf64_Phdr load{}, dynamic{};
  load.p_type = PT_LOAD;
  load.p_vaddr = base;
  load.p_filesz = headers + size + strings.size();
  dynamic.p_type = PT_DYNAMIC;
  dynamic.p_offset = headers;
  dynamic.p_filesz = size;
  std::string file;
  append(file, header);
  append(file, load);
  append(file, dynamic);
  return file + entries + strings + contents;
}

class OtherMpi : public testing::Test {
 protected:
  ~OtherMpi() override { std::filesystem::remove(path_); }
  std::string in(const std::string& file) {
    std::ofstream(path_, std::ios::binary) << file;
    return other_mpi_of(path_, MpiFaces());
  }

  std::string path_ = testing::TempDir() + "cohort-other-mpi-" + std::to_string(::getpid());
};

TEST_F(OtherMpi, Case90ByWhatAProgramNeeds) {
  for (const std::string library :
       {"libmpi.so.40", "libmpi.so.12", "libmpich.so.12", "libmpi_abi.so.1", "libmpi_mpifh.so.40"}) {
    EXPECT_EQ(in(program_that_needs({"libm.so.6", library, "libc.so.6"})), library);
  }
  EXPECT_EQ(in(program_that_needs({"libc.so.6", "libmpfr.so.6", "libmpio.so.1"})), "");
  EXPECT_EQ(in(program_that_needs({"libmpi.so.40"}, "COHORT_CONTROL_FD")), "");  // it may join
}

TEST_F(OtherMpi, Case90AnyFileMayBeAProgram) {
  const std::string whole = program_that_needs({"libm.so.6", "libmpi.so.40"});
  EXPECT_EQ(in("#!/bin/sh\n"), "");
  EXPECT_EQ(in(""), "");
  EXPECT_EQ(other_mpi_of(path_ + ".missing", MpiFaces()), "");
  for (std::size_t length = 0; length < whole.size(); length += 7) in(whole.substr(0, length));
  std::mt19937 draw(1);
  for (int i = 0; i < 300; ++i) {
    std::string damaged = whole;
    for (int j = 0; j < 3; ++j) damaged[draw() % damaged.size()] = static_cast<char>(draw());
    in(damaged);
  }
}

}  // namespace
}  // namespace cohort
