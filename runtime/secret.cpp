// SPDX-License-Identifier: Apache-2.0
#include "runtime/secret.hpp"

#include <string.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "cohort/error.hpp"

namespace cohort {
namespace {

constexpr std::size_t page_size = 4096;

unsigned char* take_page() {
  void* page = ::mmap(nullptr, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw Error(ErrorCode::job, "the system gives no memory for the job's secret");
  ::madvise(page, page_size, MADV_DONTDUMP);
  ::mlock(page, page_size);  // if mlock fails, a page may reach swap; nothing else changes
  return static_cast<unsigned char*>(page);
}

}  // namespace

Secret::Secret() : bytes_(take_page()) {}

Secret::Secret(const Secret& other) : Secret() { *this = other; }

Secret& Secret::operator=(const Secret& other) {
  if (this != &other) take(other.bytes_);
  return *this;
}

// Copies byte by byte. A vector register would keep a copy, and pass it to new threads and from there to their stacks.
void Secret::take(const void* bytes) {
  const auto* from = static_cast<const volatile unsigned char*>(bytes);
  for (std::size_t i = 0; i < size(); ++i) bytes_[i] = from[i];
}

Secret::~Secret() {
  wipe(bytes_, size());
  ::munmap(bytes_, page_size);
}

void Secret::fill(unsigned char value) { std::fill_n(bytes_, size(), value); }

void wipe(const void* memory, std::size_t size) { ::explicit_bzero(const_cast<void*>(memory), size); }

}  // namespace cohort
