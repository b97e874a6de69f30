// SPDX-License-Identifier: Apache-2.0
// The memory of a host: its bounds, its seals, and what a death tells.
#include "runtime/transport/shared/host_memory.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <system_error>

namespace cohort {
namespace {

std::size_t touched(const HostMemory& memory) {
  struct stat facts {};
  ::fstat(memory.descriptors().front(), &facts);
  return static_cast<std::size_t>(facts.st_blocks) * 512;
}

TEST(HostMemory, IsBoundedForEveryNumberOfProcesses) {
  constexpr std::size_t most = (std::size_t{64} << 20) + (std::size_t{1} << 20);
  for (std::size_t processes = 1; processes <= HostMemory::most_processes; ++processes) {
    const shared::Layout layout(processes);
    EXPECT_LE(layout.size(), most) << processes;
    EXPECT_GE(layout.ring_size(), 1024u) << processes;
    EXPECT_EQ(layout.ring_at(0, 0) % shared::line_size, 0u);
  }
}

TEST(HostMemory, TakesMemoryOnlyForPairsThatTalk) {
  const auto memory = HostMemory::make(32);
  EXPECT_LE(touched(*memory), std::size_t{64} << 10);
  EXPECT_TRUE(memory->reserve_ring(3, 4));
  EXPECT_LE(touched(*memory), std::size_t{256} << 10);
}

TEST(HostMemory, CannotBeShrunkOrReplaced) {
  const auto memory = HostMemory::make(2);
  EXPECT_NE(::ftruncate(memory->descriptors().front(), 4096), 0);
  std::vector<int> fewer;
  for (const int descriptor : memory->descriptors()) fewer.push_back(::dup(descriptor));
  ::close(fewer.back());
  fewer.pop_back();
  EXPECT_THROW(HostMemory::adopt(std::move(fewer), 2), std::system_error);
  EXPECT_THROW(HostMemory::adopt({}, 2), std::system_error);
  EXPECT_THROW(HostMemory::adopt({::open("/dev/null", O_RDWR), ::dup(memory->bell(0)), ::dup(memory->bell(1))}, 2),
               std::system_error);
}

TEST(HostMemory, ADeathIsToldToAllOnce) {
  const auto memory = HostMemory::make(3);
  memory->died(1);
  memory->died(1);
  for (const std::size_t other : {std::size_t{0}, std::size_t{2}}) {
    EXPECT_TRUE(memory->mailbox(other).ended.has(1));
    EXPECT_EQ(memory->mailbox(other).notices.load(), 1u);
  }
  EXPECT_EQ(memory->mailbox(1).state.load(), shared::Ended::died);
  memory->mailbox(2).state.store(shared::Ended::closed);
  memory->died(2);
  EXPECT_FALSE(memory->mailbox(0).ended.has(2)) << "it had left in order";
}

}  // namespace
}  // namespace cohort
