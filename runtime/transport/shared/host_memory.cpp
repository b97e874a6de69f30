// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/shared/host_memory.hpp"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "runtime/inert.hpp"
#include "runtime/transport/shared/far_barrier.hpp"

namespace cohort {
namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

// Nobody can shrink the memory, which would make its use a fatal signal.
constexpr int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

}  // namespace

std::shared_ptr<HostMemory> HostMemory::make(std::size_t processes) {
  const shared::Layout layout(processes);
  std::vector<int> descriptors;
  const auto add = [&](int descriptor, const char* what) {
    if (descriptor < 0) {
      const int error = errno;
      for (const int made : descriptors) ::close(made);
      errno = error;
      fail(what);
    }
    descriptors.push_back(descriptor);
  };
  add(::memfd_create("cohort", MFD_CLOEXEC | MFD_ALLOW_SEALING), "memfd_create");
  for (std::size_t i = 0; i < processes; ++i) add(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd");
  const int memory = descriptors.front();
  const auto mailboxes = static_cast<off_t>(layout.mailbox_at(processes));
  if (::ftruncate(memory, static_cast<off_t>(layout.size())) != 0 || ::fcntl(memory, F_ADD_SEALS, seals) != 0 ||
      ::fallocate(memory, 0, 0, mailboxes) != 0) {
    add(-1, "the memory of a host");
  }
  return adopt(std::move(descriptors), processes);
}

std::shared_ptr<HostMemory> HostMemory::adopt(std::vector<int> descriptors, std::size_t processes) {
  return std::shared_ptr<HostMemory>(new HostMemory(std::move(descriptors), processes));
}

HostMemory::HostMemory(std::vector<int> descriptors, std::size_t processes)
    : layout_(processes), descriptors_(std::move(descriptors)) {
  for (const int descriptor : descriptors_) detail::close_in_forks(descriptor);
  const auto give_up = [&](const char* what) {
    const int error = errno;
    for (const int descriptor : descriptors_) detail::close_own(descriptor);
    errno = error;
    fail(what);
  };
  errno = EMFILE;  // the system leaves out those for which this process has no room
  if (descriptors_.size() != processes + 1) give_up("the memory of this host");
  errno = EINVAL;
  struct stat facts {};
  if (processes > most_processes || ::fstat(descriptors_.front(), &facts) != 0 ||
      static_cast<std::size_t>(facts.st_size) != layout_.size()) {
    give_up("the memory of this host");
  }
  void* const memory =
      ::mmap(nullptr, layout_.size(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptors_.front(), 0);
  if (memory == MAP_FAILED) give_up("mapping the memory of this host");
  ::madvise(memory, layout_.size(), MADV_DONTFORK);
  ::madvise(memory, layout_.size(), MADV_DONTDUMP);
  memory_ = static_cast<std::byte*>(memory);
}

HostMemory::~HostMemory() {
  ::munmap(memory_, layout_.size());
  for (const int descriptor : descriptors_) detail::close_own(descriptor);
}

shared::Mailbox& HostMemory::mailbox(std::size_t place) const {
  return *reinterpret_cast<shared::Mailbox*>(memory_ + layout_.mailbox_at(place));
}

bool HostMemory::reserve_ring(std::size_t from, std::size_t to) const {
  const auto at = static_cast<off_t>(layout_.ring_at(from, to));
  int result = 0;
  do {
    result = ::fallocate(descriptors_.front(), 0, at, static_cast<off_t>(layout_.ring_size()));
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

// It fails only if nobody has heard the last 2^64 rings.
void HostMemory::ring_bell(std::size_t place) const { ::eventfd_write(bell(place), 1); }

void HostMemory::end_link(std::size_t from, std::size_t to, bool by_reset) const {
  if (by_reset) mailbox(to).reset.add(from);
  mailbox(to).ended.add(from);
  notify(to);
}

bool HostMemory::join_barriers(std::size_t place) const {
  const bool joined = shared::join_far_barriers();
  mailbox(place).executes_barriers.store(joined ? 1 : 0);
  return joined;
}

bool HostMemory::execute_barrier(std::size_t place) const {
  std::atomic<std::uint32_t>& executes = mailbox(place).executes_barriers;
  if (executes.load(std::memory_order_relaxed) == 0 || shared::far_barrier()) return true;
  executes.store(0);
  return false;
}

void HostMemory::died(std::size_t place) const {
  shared::Ended before = shared::Ended::no;
  if (!mailbox(place).state.compare_exchange_strong(before, shared::Ended::died)) return;
  for (std::size_t other = 0; other < processes(); ++other) {
    if (other == place) continue;
    mailbox(other).ended.add(place);
    mailbox(other).notices.fetch_add(1);
    ring_bell(other);  // in any case: the dead may have died before they rang, and no other rings in their place
  }
}

}  // namespace cohort
