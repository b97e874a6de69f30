// SPDX-License-Identifier: Apache-2.0
// The receiving half of a link.
#include <algorithm>
#include <cstring>

#include "runtime/transport/parcel.hpp"
#include "runtime/transport/shared/shared_link.hpp"

namespace cohort::shared {
namespace {

constexpr const char* senseless = "it sent a frame that makes no sense";
constexpr const char* damaged = "it sent a record that makes no sense";

// How long a record's content can be behind the header.
std::size_t most_content(RecordKind kind, const FrameHeader& header) {
  return kind == RecordKind::frame ? header.payload : sizeof(Reference);
}

}  // namespace

// The counts and sizes are another process's, and are read once.
std::optional<PeerPieces> Reference::pieces_of(std::uint32_t wanted, std::uint64_t size) const {
  if (wanted > 0) return PeerPieces{{copy_at.load(), size}};
  const std::uint32_t pieces_count = count;
  if (pieces_count > most_pieces) return std::nullopt;
  PeerPieces result;
  for (std::uint32_t i = 0; i < pieces_count; ++i) {
    result.push_back(pieces[i]);
    if (result.back().size > size) return std::nullopt;
    size -= result.back().size;
  }
  return size == 0 ? std::optional(result) : std::nullopt;
}

void Arriving::put(const std::byte* data, std::size_t size) {
  arrived_ += size;
  while (size > 0) {
    const Piece& piece = landing_[piece_];
    const std::size_t part = std::min(piece.size - filled_, size);
    if (part > 0) std::memcpy(piece.data + filled_, data, part);
    data += part;
    size -= part;
    filled_ += part;
    if (filled_ == piece.size) {
      ++piece_;
      filled_ = 0;
    }
  }
}

void Arriving::redirect(const Pieces& landing) {
  landing_ = landing;
  piece_ = 0;
  filled_ = arrived_;
  while (piece_ < landing_.size() && filled_ >= landing_[piece_].size) filled_ -= landing_[piece_++].size;
}

TakesAtOnce::Look SharedLink::look_at_next(TakesAtOnce::Next& found) {
  next = in->next();
  if (next.kind == RecordKind::nothing && next.valid) return TakesAtOnce::Look::nothing;
  if (next.kind != RecordKind::frame || !next.valid || arriving.active()) return TakesAtOnce::Look::poll_is_needed;
  std::span<std::byte> content = next.content;
  if (!unpack(content, found.header) || content.size() != found.header.payload)
    return TakesAtOnce::Look::poll_is_needed;
  found.payload = content.data();
  return TakesAtOnce::Look::whole_frame;
}

const char* SharedLink::take(const RingReader::Record& record, FrameHandler& handler, const HostMemory& memory) {
  std::span<std::byte> content = record.content;
  if (!record.valid) return damaged;
  if (record.kind == RecordKind::skip) return nullptr;
  if (record.kind == RecordKind::more) {
    if (!arriving.active() || content.size() > arriving.missing()) return damaged;
    arriving.put(content.data(), content.size());
    return nullptr;
  }
  FrameHeader header;
  if (!unpack(content, header)) return damaged_header;
  if (arriving.active() || content.size() > most_content(record.kind, header)) return damaged;
  if (record.kind == RecordKind::frame && content.size() == header.payload) {
    return handler.frame_arrived(pid, header, content.data()) ? nullptr : senseless;
  }
  if (!arriving.begin(handler, pid, header)) return senseless;
  if (record.kind == RecordKind::reference) {
    // What nobody wants is not read: its sender may be gone, but records that somebody wants may follow.
    if (!handler.discards(pid)) return take_reference(content, memory);
    arriving.all_is_here();
    tell_read(memory);
    return nullptr;
  }
  arriving.put(content.data(), content.size());
  return nullptr;
}

// Reads the sender's memory, then looks at the version again: if the sender has taken its memory back meanwhile, what
// was read may be wrong.
const char* SharedLink::take_reference(std::span<std::byte> content, const HostMemory& memory) {
  if (content.size() < sizeof(Reference)) return damaged;
  auto& reference = *reinterpret_cast<Reference*>(content.data());
  reference.begun.store(1);
  if (!in_turn) memory.wake(place);  // the sender: so that it is awake when its payload was read
  const std::int32_t process = memory.mailbox(place).process.load();
  for (;;) {
    const std::uint32_t version = reference.version.load();
    if (version == Reference::gone) return transport_closed;
    const std::optional<PeerPieces> pieces = reference.pieces_of(version, arriving.missing());
    if (!pieces) return damaged;
    const std::string failure = read_peer(process, *pieces, arriving.landing());
    if (reference.version.load() != version) continue;
    if (!failure.empty()) {
      ending = "its memory can't be read: " + failure;
      return ending.c_str();
    }
    arriving.all_is_here();
    tell_read(memory);
    return nullptr;
  }
}

void SharedLink::drop(const RingReader::Record& record, const HostMemory& memory) {
  if (record.kind == RecordKind::reference) tell_read(memory);
}

void SharedLink::tell_read(const HostMemory& memory) {
  in->read_reference();
  memory.notify(place);
}

}  // namespace cohort::shared
