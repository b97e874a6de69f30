// SPDX-License-Identifier: Apache-2.0
// A ring of cache lines with one writer and one reader, in memory that both share.
//
// A record begins at a line: a mark, then its content. A mark of 0 says that there is no record yet. The writer sets
// the mark behind a record to 0 before it publishes the record by its mark. So the reader awaits a record by looking at
// the line that brings it, and one transfer of a line between the processors brings a short message.
//
// The reader trusts nothing in a ring: it reads each mark once, and checks it.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>

#include "runtime/transport/shared/layout.hpp"

namespace cohort::shared {

enum class RecordKind : std::uint32_t {
  nothing,
  frame,      // the header of a frame and the beginning of its payload
  more,       // the next bytes of the payload
  reference,  // the header of a frame whose payload is still in the writer's memory, and where it is there
  skip,       // the rest of the lines: the next record is in the first line
  last_kind = skip,
};

// A record's kind, and the size of its content from the fourth bit on.
using Mark = std::atomic<std::uint32_t>;
inline constexpr std::size_t mark_size = sizeof(Mark);

inline std::uint64_t lines_of(std::size_t content) { return (mark_size + content + line_size - 1) / line_size; }

class RingEnd {
 protected:
  RingEnd(std::byte* ring, std::size_t size)
      : words_(reinterpret_cast<RingWords*>(ring)),
        lines_(ring + sizeof(RingWords)),
        count_((size - sizeof(RingWords)) / line_size) {}

  Mark& mark() const { return *reinterpret_cast<Mark*>(lines_ + index_ * line_size); }  // of the next record
  std::byte* content() const { return lines_ + index_ * line_size + mark_size; }
  std::uint64_t contiguous() const { return count_ - index_; }  // lines until the end
  void advance(std::uint64_t lines) {
    done_ += lines;
    index_ += lines;
    if (index_ == count_) index_ = 0;
  }

  RingWords* words_;
  std::byte* lines_;
  std::uint64_t count_;
  std::uint64_t index_ = 0;  // of the next record's first line
  std::uint64_t done_ = 0;   // lines written or read, since the start
};

class RingWriter : private RingEnd {
 public:
  RingWriter(std::byte* ring, std::size_t size) : RingEnd(ring, size) {}

  // The longest content that some record can have, however full the ring was.
  std::size_t longest() const { return count_ / 2 * line_size - mark_size; }

  // Memory for the content of the next record, at least `least` and at most `most` bytes; `least` is at most longest().
  // Empty if there is no room yet.
  std::span<std::byte> reserve(std::size_t least, std::size_t most) {
    const std::uint64_t needed = lines_of(least);
    for (;;) {
      // One line more stays free, for the next mark.
      if (free() < needed + 1 && !look_for_room(needed + 1)) return {};
      const std::uint64_t lines = std::min(contiguous(), free() - 1);
      if (lines >= needed) return {content(), std::min(lines * line_size - mark_size, most)};
      if (contiguous() >= free() && !look_for_room(contiguous() + 1)) return {};
      if (contiguous() < needed) publish(RecordKind::skip, contiguous() * line_size - mark_size);
    }
  }

  // The reserved memory's first `size` bytes are set. A barrier comes before the look at whether the reader sleeps,
  // unless the reader executes it. A barrier waits for the line that the reader had, which takes longer than all else.
  void publish(RecordKind kind, std::size_t size, bool with_barrier = true) {
    Mark& first = mark();
    advance(lines_of(size));
    mark().store(0, std::memory_order_relaxed);
    const std::uint32_t value = static_cast<std::uint32_t>(size << 4) | static_cast<std::uint32_t>(kind);
    if (with_barrier) {
      first.store(value);
    } else {
      first.store(value, std::memory_order_release);
      std::atomic_signal_fence(std::memory_order_seq_cst);
    }
  }

  // There was no room. From now on the reader tells when it has made some, once. Returns whether there is some already.
  bool await_room() {
    words_->awaits_room.store(1);
    const std::uint64_t before = freed_;
    freed_ = words_->freed.load();
    return freed_ != before;
  }

  std::uint64_t read_references() const { return words_->read_references.load(std::memory_order_acquire); }
  bool reader_reads_directly() const { return words_->reads_directly.load(std::memory_order_relaxed) != 0; }

 private:
  std::uint64_t free() const { return count_ - (done_ - freed_); }
  bool look_for_room(std::uint64_t lines) {
    // The reader can't have freed more than was written.
    freed_ = std::min(words_->freed.load(std::memory_order_acquire), done_);
    return free() >= lines;
  }

  std::uint64_t freed_ = 0;  // of the last look
};

class RingReader : private RingEnd {
 public:
  RingReader(std::byte* ring, std::size_t size) : RingEnd(ring, size) {}

  struct Record {
    RecordKind kind = RecordKind::nothing;
    bool valid = true;  // if not, the ring's memory is damaged
    std::span<std::byte> content{};
  };

  bool empty() const { return mark().load() == 0; }

  Record next() {
    const std::uint32_t mark = this->mark().load(std::memory_order_acquire);
    if (mark == 0) return {};
    const auto kind = static_cast<RecordKind>(mark & 0xf);
    const std::size_t size = mark >> 4;
    if (kind == RecordKind::nothing || kind > RecordKind::last_kind || lines_of(size) > contiguous()) {
      return {kind, false};
    }
    return {kind, true, {content(), size}};
  }

  // The record was read. Returns whether the writer must be told that there is room.
  bool free(const Record& record) {
    advance(lines_of(record.content.size()));
    if (done_ - told_ < count_ / 4) return false;
    told_ = done_;
    words_->freed.store(told_);
    return words_->awaits_room.load() != 0 && words_->awaits_room.exchange(0) != 0;
  }

  void reads_directly() { words_->reads_directly.store(1, std::memory_order_relaxed); }
  void read_reference() { words_->read_references.fetch_add(1, std::memory_order_release); }

 private:
  std::uint64_t told_ = 0;  // of done_, to the writer
};

}  // namespace cohort::shared
