// SPDX-License-Identifier: Apache-2.0
#include "runtime/inert.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "cohort/error.hpp"

namespace cohort::detail {
namespace {

// One bit for each descriptor. A fork may come at any moment, and in the child only memory like this can be read
// safely.
constexpr std::size_t most_descriptors = 1u << 20;
constexpr std::size_t word_bits = 64;
std::array<std::atomic<std::uint64_t>, most_descriptors / word_bits> closed_in_forks;

bool* own_page = nullptr;
std::string member;  // "pid 3 (process 4711, node7)"

std::atomic<std::uint64_t>* word_of(int descriptor) {
  const auto number = static_cast<std::size_t>(descriptor);
  return descriptor >= 0 && number < most_descriptors ? &closed_in_forks[number / word_bits] : nullptr;
}

std::uint64_t bit_of(int descriptor) { return std::uint64_t{1} << (static_cast<std::size_t>(descriptor) % word_bits); }

// Runs in the child. Where the kernel does not support MADV_WIPEONFORK, this marks the child as a fork.
void forked() {
  *own_page = false;
  for (std::size_t word = 0; word < closed_in_forks.size(); ++word) {
    const std::uint64_t bits = closed_in_forks[word].load();
    if (bits == 0) continue;  // and its page stays one that was never written
    closed_in_forks[word].store(0);
    for (std::size_t bit = 0; bit < word_bits; ++bit) {
      if ((bits >> bit & 1) != 0) ::close(static_cast<int>(word * word_bits + bit));
    }
  }
}

}  // namespace

bool OperatorCall::left_by_longjmp(const void* frame) { return inside() && frame > current.frame; }

std::string OperatorCall::name() {
  return fmt::format("{} #{} on group {}", name_of(current.operation), current.number, to_string(current.group));
}

std::string why_inert(const void* frame) {
  if (is_fork()) {
    return fmt::format(
        "this process ({}) is a fork of {}, and no member of the job: only the process that has joined "
        "may call Cohort",
        ::getpid(), member.empty() ? "one that joins it" : member);
  }
  return OperatorCall::left_by_longjmp(frame)
             ? fmt::format("this thread has left the operator of {} without returning from it (longjmp)",
                           OperatorCall::name())
             : fmt::format("it is called by the operator of {}: an operator must not call Cohort",
                           OperatorCall::name());
}

void tell_forks_apart(const std::string& who) {
  member = who;
  if (own_page != nullptr) return;
  const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* const page = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw Error(ErrorCode::job, "joining the job: the system gives no memory");
  ::madvise(page, size, MADV_WIPEONFORK);
  own_page = static_cast<bool*>(page);
  *own_page = true;
  member_mark = own_page;
  ::pthread_atfork(nullptr, nullptr, forked);
}

void refuse_fork() { throw Error(ErrorCode::left, why_inert(nullptr)); }

void close_in_forks(int descriptor) {
  if (std::atomic<std::uint64_t>* const word = word_of(descriptor)) word->fetch_or(bit_of(descriptor));
}

// Clears the bit before closing: another thread may get the same number at once.
void close_own(int descriptor) {
  if (std::atomic<std::uint64_t>* const word = word_of(descriptor)) word->fetch_and(~bit_of(descriptor));
  ::close(descriptor);
}

void keep(const void* memory) {
  static std::mutex mutex;
  static auto& kept = *new std::vector<const void*>;
  const std::lock_guard lock(mutex);
  kept.push_back(memory);
}

}  // namespace cohort::detail
