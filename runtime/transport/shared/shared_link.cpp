// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/shared/shared_link.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace cohort::shared {
namespace {

constexpr std::size_t longest_record = 16384;  // so that the reader copies while the writer writes the next
constexpr std::size_t least_part = 16;         // of a payload, beside the header

// Leaves the core's units to what shares them.
void relax() {
#ifdef __x86_64__
  __builtin_ia32_pause();
#endif
}

// Copies bytes of a payload from `offset` on.
void copy_payload(std::span<const ConstPiece> payload, std::uint64_t offset, std::byte* to, std::size_t size) {
  for (const ConstPiece& piece : payload) {
    if (size == 0) return;
    if (offset >= piece.size) {
      offset -= piece.size;
      continue;
    }
    const std::size_t part = std::min<std::uint64_t>(piece.size - offset, size);
    std::memcpy(to, piece.data + offset, part);
    to += part;
    size -= part;
    offset = 0;
  }
}

}  // namespace

// `frame.written` is 0 before the frame has begun, and from then on 1 more than the payload's bytes that were written.
SharedLink::Written SharedLink::write(OutgoingFrame& frame, std::size_t direct_from, const HostMemory& memory) {
  const std::uint64_t payload = frame.header.payload;
  if (frame.written == 0) {
    if (payload >= direct_from && can_refer(frame)) {
      return refer(frame, memory) ? Written::as_reference : Written::in_part;
    }
    const std::size_t header = packed_size(frame.header);
    const std::size_t most = std::min<std::uint64_t>(header + payload, longest_record);
    const std::span<std::byte> record = out->reserve(std::min(most, header + least_part), most);
    if (record.empty()) return Written::in_part;
    copy_payload(frame.payload, 0, pack(frame.header, record.data()), record.size() - header);
    publish(RecordKind::frame, record.size(), memory);
    frame.written = 1 + record.size() - header;
  }
  while (frame.written <= payload) {
    const std::uint64_t offset = frame.written - 1;
    const std::span<std::byte> record = out->reserve(1, std::min<std::uint64_t>(payload - offset, longest_record));
    if (record.empty()) return Written::in_part;
    copy_payload(frame.payload, offset, record.data(), record.size());
    publish(RecordKind::more, record.size(), memory);
    frame.written += record.size();
  }
  return Written::whole;
}

bool SharedLink::write_at_once(const FrameHeader& header, std::span<const ConstPiece> payload,
                               const HostMemory& memory) {
  const std::size_t size = packed_size(header) + header.payload;
  if (size > std::min(longest_record, out->longest())) return false;
  const std::span<std::byte> record = out->reserve(size, size);
  if (record.empty()) return false;
  copy_payload(payload, 0, pack(header, record.data()), header.payload);
  publish(RecordKind::frame, size, memory);
  return true;
}

void SharedLink::publish(RecordKind kind, std::size_t size, const HostMemory& memory) {
  const bool barrier = !joined || memory.mailbox(place).executes_barriers.load(std::memory_order_relaxed) == 0;
  out->publish(kind, size, barrier);
  memory.wake(place);
}

bool SharedLink::can_refer(const OutgoingFrame& frame) const {
  return out->reader_reads_directly() && frame.payload.size() <= Reference::most_pieces &&
         out->longest() >= long_header_size + sizeof(Reference);
}

// Returns false if there is no room.
bool SharedLink::refer(OutgoingFrame& frame, const HostMemory& memory) {
  const std::size_t size = packed_size(frame.header) + sizeof(Reference);
  const std::span<std::byte> record = out->reserve(size, size);
  if (record.empty()) return false;
  auto* const reference = new (pack(frame.header, record.data())) Reference{};
  for (const ConstPiece& piece : frame.payload) {
    reference->pieces[reference->count++] = {reinterpret_cast<std::uint64_t>(piece.data), piece.size};
  }
  references.push_back({&frame, reference});
  publish(RecordKind::reference, size, memory);
  return true;
}

// A record whose payload was read may be gone already: other records take its lines.
void SharedLink::replace(OutgoingFrame& frame, OutgoingFrame& copy) {
  std::uint64_t number = read_references;
  for (Referred& referred : references) {
    if (number++; referred.frame != &frame) continue;
    if (out->read_references() < number) referred.reference->replace(copy.payload[0].data);
    referred.frame = &copy;
    return;
  }
  copy.written = frame.written;
  OutgoingFrame* before = nullptr;
  for (OutgoingFrame* one = first; one != nullptr; before = std::exchange(one, one->next)) {
    if (one != &frame) continue;
    copy.next = frame.next;
    (before != nullptr ? before->next : first) = &copy;
    if (last == &frame) last = &copy;
    return;
  }
}

OutgoingFrame* SharedLink::take_read() {
  if (references.empty() || read_references >= out->read_references()) return nullptr;
  OutgoingFrame* const frame = references.front().frame;
  references.pop_front();
  ++read_references;
  stays = 0;
  return frame;
}

// A copy takes less time than a sleep and a wake-up, unless the peer was stopped: so the stays are limited.
bool SharedLink::is_being_read() {
  constexpr int looks = 16;
  constexpr std::uint64_t bytes_per_stay = 128;
  if (in_turn || references.empty() || references.front().reference->begun.load(std::memory_order_relaxed) == 0 ||
      ++stays > references.front().frame->header.payload / bytes_per_stay)
    return false;
  for (int look = 0; look < looks && out->read_references() == read_references; ++look) relax();
  return true;
}

void SharedLink::take_back() {
  std::uint64_t number = read_references;
  for (const Referred& referred : references) {
    if (out->read_references() <= number++) referred.reference->version.store(Reference::gone);
  }
  references.clear();
  first = last = nullptr;
}

}  // namespace cohort::shared
