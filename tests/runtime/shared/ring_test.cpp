// SPDX-License-Identifier: Apache-2.0
// The ring between two processes: what is written comes out, for every length of ring and record, and a reader of
// damaged memory stays within it.
#include "runtime/transport/shared/ring.hpp"

#include <gtest/gtest.h>

#include <random>
#include <thread>
#include <vector>

namespace cohort::shared {
namespace {

// Memory for a ring, as the system gives it.
class Memory {
 public:
  explicit Memory(std::size_t size) : size_(size), lines_(size / line_size) {}
  std::byte* data() { return lines_.data()->bytes.data(); }
  std::size_t size() const { return size_; }

 private:
  struct alignas(line_size) Cells {
    std::array<std::byte, line_size> bytes{};
  };
  std::size_t size_;
  std::vector<Cells> lines_;
};

constexpr std::array<std::size_t, 5> ring_sizes{1024, 1088, 4096, 16384, 65536};

std::byte byte_of(std::uint64_t record, std::size_t i) { return static_cast<std::byte>(record * 7 + i * 13 + 1); }

TEST(Ring, WhatIsWrittenComesOutWhileBothEndsWork) {
  for (const std::size_t size : ring_sizes) {
    Memory memory(size);
    RingWriter writer(memory.data(), size);
    RingReader reader(memory.data(), size);
    constexpr std::uint64_t records = 20000;
    std::thread writing([&] {
      std::mt19937 random(1);
      for (std::uint64_t i = 0; i < records;) {
        const std::size_t least = 1 + random() % writer.longest();
        const std::span<std::byte> content = writer.reserve(least, least + random() % 100);
        if (content.empty()) {
          std::this_thread::yield();
          continue;
        }
        ASSERT_GE(content.size(), least);
        for (std::size_t at = 0; at < content.size(); ++at) content[at] = byte_of(i, at);
        writer.publish(RecordKind::frame, content.size());
        ++i;
      }
    });
    for (std::uint64_t i = 0; i < records;) {
      const RingReader::Record record = reader.next();
      ASSERT_TRUE(record.valid);
      if (record.kind == RecordKind::nothing) {
        std::this_thread::yield();
        continue;
      }
      if (record.kind == RecordKind::frame) {
        for (std::size_t at = 0; at < record.content.size(); ++at) ASSERT_EQ(record.content[at], byte_of(i, at));
        ++i;
      }
      reader.free(record);
    }
    writing.join();
    EXPECT_TRUE(reader.empty());
  }
}

// However full the ring was, a reader that has read everything has made room for the longest record, and has said so.
TEST(Ring, AReaderThatIsDoneHasMadeRoom) {
  for (const std::size_t size : ring_sizes) {
    Memory memory(size);
    RingWriter writer(memory.data(), size);
    RingReader reader(memory.data(), size);
    std::mt19937 random(2);
    for (int round = 0; round < 2000; ++round) {
      bool told = false;
      const auto read_all = [&] {
        for (auto record = reader.next(); record.kind != RecordKind::nothing; record = reader.next()) {
          told |= reader.free(record);
        }
      };
      for (int i = 0; i < 100; ++i) {
        const std::size_t least = 1 + random() % writer.longest();
        const std::span<std::byte> content = writer.reserve(least, least);
        if (!content.empty()) {
          writer.publish(RecordKind::frame, content.size());
          continue;
        }
        ASSERT_FALSE(writer.await_room());
        read_all();
        ASSERT_TRUE(told) << "nobody wakes the writer";
        // It may need a second turn, if it has left the rest of the lines out.
        if (writer.reserve(least, least).empty()) read_all();
        ASSERT_FALSE(writer.reserve(least, least).empty()) << least << " of " << size;
        break;
      }
    }
  }
}

TEST(Ring, ADamagedRingIsReadWithinItsMemory) {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t size = ring_sizes[random() % 3];
    Memory memory(size);
    for (std::size_t i = 0; i < size; ++i) {
      if (random() % 2 == 0) memory.data()[i] = static_cast<std::byte>(random());
    }
    RingReader reader(memory.data(), size);
    for (int i = 0; i < 100; ++i) {
      const RingReader::Record record = reader.next();
      if (!record.valid || record.kind == RecordKind::nothing) break;
      ASSERT_GE(record.content.data(), memory.data());
      ASSERT_LE(record.content.data() + record.content.size(), memory.data() + size);
      reader.free(record);
    }
    RingWriter writer(memory.data(), size);
    for (int i = 0; i < 100; ++i) {
      const std::span<std::byte> content = writer.reserve(1 + random() % writer.longest(), writer.longest());
      if (content.empty()) break;
      ASSERT_GE(content.data(), memory.data());
      ASSERT_LE(content.data() + content.size(), memory.data() + size);
      writer.publish(RecordKind::frame, content.size());
    }
  }
}

}  // namespace
}  // namespace cohort::shared
