// SPDX-License-Identifier: Apache-2.0
// The link to one peer through the host's memory: a ring for each direction.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>

#include "runtime/transport/shared/host_memory.hpp"
#include "runtime/transport/shared/packed_header.hpp"
#include "runtime/transport/shared/peer_memory.hpp"
#include "runtime/transport/shared/ring.hpp"
#include "runtime/transport/transport.hpp"

namespace cohort::shared {

// A payload in its sender's memory, in a record behind the frame's header. If the sender takes its memory back before
// the payload was read, a copy takes its place, and the version changes: the reader looks at the version again after it
// has read.
struct Reference {
  static constexpr std::size_t most_pieces = 8;
  static constexpr std::uint32_t gone = ~std::uint32_t{0};

  std::atomic<std::uint32_t> version;  // `gone`: there is no copy either
  std::atomic<std::uint32_t> begun;    // 1: the reader has begun to read
  std::uint32_t count;
  std::atomic<std::uint64_t> copy_at;         // from version 1 on: the address of the whole payload
  std::array<PeerPiece, most_pieces> pieces;  // in version 0; the first `count`

  void replace(const std::byte* copy) {
    copy_at.store(reinterpret_cast<std::uint64_t>(copy));
    version.fetch_add(1);
  }

  // Where the payload is, in this version. Nothing if it is not of this size there.
  std::optional<PeerPieces> pieces_of(std::uint32_t wanted, std::uint64_t size) const;
};

// The frame that is arriving.
class Arriving {
 public:
  // From here on bytes go to the landing.
  bool begin(FrameHandler& handler, Pid from, const FrameHeader& header) {
    header_ = header;
    landing_.clear();
    arrived_ = 0;
    piece_ = filled_ = 0;
    active_ = handler.frame_begins(from, header, landing_);
    return active_;
  }
  void put(const std::byte* data, std::size_t size);
  void redirect(const Pieces& landing);
  void all_is_here() { arrived_ = header_.payload; }
  void end() { active_ = false; }

  bool active() const { return active_; }
  std::uint64_t missing() const { return header_.payload - arrived_; }
  const FrameHeader& header() const { return header_; }
  const Pieces& landing() const { return landing_; }

 private:
  FrameHeader header_;
  Pieces landing_;
  std::uint64_t arrived_ = 0;
  std::size_t piece_ = 0;   // of the landing, that is being filled
  std::size_t filled_ = 0;  // bytes of it
  bool active_ = false;
};

// A link never moves, and lives as long as the transport.
struct SharedLink {
  SharedLink(Pid peer, bool takes_turns) : pid(peer), in_turn(takes_turns) {}

  enum class Written : std::uint8_t { in_part, whole, as_reference };

  // Writes as much of the frame as there is room for. Payloads of `direct_from` bytes and more are written as
  // references, if the peer can read them.
  Written write(OutgoingFrame& frame, std::size_t direct_from, const HostMemory& memory);

  // Writes a short frame if there is room for all of it in one record.
  bool write_at_once(const FrameHeader& header, std::span<const ConstPiece> payload, const HostMemory& memory);

  bool writes() const { return first != nullptr || !references.empty(); }  // frames are on their way
  bool stays_busy() { return busy = !lost && writes(); }
  void enqueue(OutgoingFrame& frame) {
    frame.next = nullptr;
    (first != nullptr ? last->next : first) = &frame;
    last = &frame;
  }
  OutgoingFrame* dequeue() {
    OutgoingFrame* const frame = first;
    first = frame->next;
    return frame;
  }
  void replace(OutgoingFrame& frame, OutgoingFrame& copy);

  // The record stays in the ring, and is noted in `next`.
  TakesAtOnce::Look look_at_next(TakesAtOnce::Next& found);
  // Takes a record of the peer, and tells the handler. Returns why the link must fail, or null.
  const char* take(const RingReader::Record& record, FrameHandler& handler, const HostMemory& memory);
  void drop(const RingReader::Record& record, const HostMemory& memory);  // the handler is not told
  // Takes a frame whose payload the peer has read from this process's memory. Null: there is none.
  OutgoingFrame* take_read();
  // Whether the peer reads a payload from this process's memory right now. Stays with it for about half a microsecond.
  bool is_being_read();
  void take_back();  // the frames that are on their way: the peer can't read them any more

  const Pid pid;
  const bool in_turn;
  std::size_t place = 0;
  bool joined = false;  // this process has joined the barriers of others
  std::atomic<bool> lost = false;
  std::string ending{};  // if not empty: why the peer sends no more than its ring holds

  std::optional<RingWriter> out{};
  OutgoingFrame* first = nullptr;  // frames that were not written whole
  OutgoingFrame* last = nullptr;
  struct Referred {
    OutgoingFrame* frame;
    Reference* reference;
  };
  std::deque<Referred> references{};  // written, but not read yet
  std::uint64_t read_references = 0;  // of all since the start, those whose owner was told
  std::uint64_t stays = 0;            // with the reader of the first of them
  bool busy = false;                  // in the transport's list

  std::optional<RingReader> in{};
  RingReader::Record next{};  // that was looked at
  Arriving arriving{};

 private:
  bool can_refer(const OutgoingFrame& frame) const;
  bool refer(OutgoingFrame& frame, const HostMemory& memory);
  void publish(RecordKind kind, std::size_t size, const HostMemory& memory);
  const char* take_reference(std::span<std::byte> content, const HostMemory& memory);
  void tell_read(const HostMemory& memory);
};

}  // namespace cohort::shared
