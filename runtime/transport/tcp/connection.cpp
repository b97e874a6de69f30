// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/tcp/connection.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>

#include "runtime/copy_bytes.hpp"
#include "runtime/transport/tcp/piece_list.hpp"

namespace cohort {
namespace {

constexpr std::size_t bytes_per_turn = 524288;  // then other connections get their turn
constexpr std::size_t small_frame = 8192 + sizeof(TravellingHeader);
constexpr std::size_t large_payload = HeaderWriter::large_payload;
constexpr std::size_t most_held = 8192;
// The longest part of a payload that is copied, from the staging memory or after a wrong guess. Copying more takes
// longer than a second call.
constexpr std::size_t most_copied = 32768;
constexpr std::size_t most_staged = sizeof(TravellingHeader) + most_copied;

// A small frame leaves in one piece, because copying costs less than gathering.
class SmallFrame {
 public:
  SmallFrame(const TravellingHeader& header, std::span<const ConstPiece> payload) {
    std::byte* end = std::copy_n(header.begin(), travelling_size(header), bytes_.begin());
    for (const ConstPiece& piece : payload) {
      detail::copy_bytes(end, piece.data, piece.size);
      end += piece.size;
    }
    size_ = static_cast<std::size_t>(end - bytes_.data());
  }
  ConstBytes bytes() const { return {bytes_.data(), size_}; }

 private:
  std::array<std::byte, small_frame> bytes_;
  std::size_t size_;
};

std::size_t size_of(const OutgoingFrame& frame) { return travelling_size(frame.wire) + frame.header.payload; }

// Whether the socket only has no room, or no data, at the moment.
bool must_wait(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR || error == ENOBUFS || error == ENOMEM;
}

std::string describe(int error) {
  if (error == ECONNRESET || error == ECONNABORTED) return "connection reset";  // by the other side, or the system here
  if (error == EPIPE) return "connection closed";
  return "the connection broke: " + std::system_category().message(error);
}

}  // namespace

const std::size_t Connection::staging_size = sizeof(TravellingHeader) + most_copied + most_staged;

void Connection::fail(std::string cause) {
  if (failure_.empty()) failure_ = std::move(cause);
}

bool Connection::send(OutgoingFrame& frame) {
  writer_.write(frame.header, frame.wire);
  frame.next = nullptr;
  frame.written = 0;
  if (first_ == nullptr && descriptor_ >= 0 && failure_.empty()) {
    frame.written = write(frame);
    if (frame.written == size_of(frame)) return true;
  }
  (first_ == nullptr ? first_ : last_->next) = &frame;
  last_ = &frame;
  return false;
}

bool Connection::send_at_once(const FrameHeader& header, std::span<const ConstPiece> payload) {
  if (first_ != nullptr || descriptor_ < 0 || !failure_.empty()) return false;
  if (sizeof(TravellingHeader) + header.payload > small_frame) return false;
  if (holds_back()) {
    if (!hold_back(header, payload)) return false;
    flush_kept();
    return failure_.empty();
  }
  const HeaderWriter before = writer_;
  TravellingHeader wire;
  writer_.write(header, wire);
  const SmallFrame frame(wire, payload);
  const std::size_t written = write(frame.bytes());
  if (written == 0) {
    writer_ = before;
    return false;
  }
  const ConstBytes left = frame.bytes().subspan(written);
  if (left.empty()) return true;
  try {
    held_.assign(left.begin(), left.end());
    return true;
  } catch (const std::bad_alloc&) {
    fail("no memory is left for the rest of a frame");
    return false;
  }
}

// Writes a frame that no other one precedes.
std::size_t Connection::write(const OutgoingFrame& frame) {
  std::size_t offered = 0;
  if (size_of(frame) > small_frame || holds_back()) return write(&frame, offered);
  return write(SmallFrame(frame.wire, frame.payload).bytes());
}

std::size_t Connection::write(ConstBytes bytes) {
  return check(::send(descriptor_, bytes.data(), bytes.size(), PieceList::send_flags));
}

// Writes the bytes that are held back, and the frames after them. `offered` and the result count the frames' bytes
// only.
std::size_t Connection::write(const OutgoingFrame* first, std::size_t& offered) {
  const std::size_t held = held_.size() - held_sent_;
  PieceList pieces;
  pieces.add(held_.data() + held_sent_, held);
  for (const OutgoingFrame* frame = first; frame != nullptr && pieces.add(*frame); frame = frame->next) {
  }
  offered = pieces.bytes() - held;
  const std::size_t written = check(pieces.send(descriptor_));
  const std::size_t of_held = std::min(written, held);
  held_sent_ += of_held;
  if (of_held == held) {
    held_ = std::vector<std::byte>();  // frees its memory, too: there may be many peers
    held_sent_ = 0;
  }
  return written - of_held;
}

bool Connection::hold_back(const FrameHeader& header, std::span<const ConstPiece> payload) {
  if (first_ != nullptr || !failure_.empty() || held_.size() + sizeof(TravellingHeader) + header.payload > most_held) {
    return false;
  }
  try {
    held_.reserve(most_held);
  } catch (const std::bad_alloc&) {
    return false;
  }
  TravellingHeader wire;
  writer_.write(header, wire);
  held_.insert(held_.end(), wire.data(), wire.data() + travelling_size(wire));
  for (const ConstPiece& piece : payload) held_.insert(held_.end(), piece.data, piece.data + piece.size);
  return true;
}

std::size_t Connection::check(ssize_t written) {
  if (written >= 0) return static_cast<std::size_t>(written);
  if (!must_wait(errno)) fail(describe(errno));
  return 0;
}

bool Connection::flush(FrameHandler& handler) {
  std::size_t sent = 0;
  while (queued() && failure_.empty() && sent < bytes_per_turn) {
    std::size_t offered = 0;
    const std::size_t written = write(first_, offered);
    sent += written;
    // The handler may send() another frame within frame_sent(), so the queue is in order at every call.
    for (std::size_t left = written; left > 0;) {
      OutgoingFrame& frame = *first_;
      const std::size_t part = std::min(left, size_of(frame) - frame.written);
      frame.written += part;
      left -= part;
      if (frame.written < size_of(frame)) break;
      first_ = frame.next;
      if (first_ == nullptr) last_ = nullptr;
      handler.frame_sent(peer_, frame);
    }
    if (written < offered || held_sent_ < held_.size()) break;
  }
  return sent > 0;
}

void Connection::replace(const OutgoingFrame& frame, OutgoingFrame& copy) {
  OutgoingFrame** place = &first_;
  while (*place != &frame) place = &(*place)->next;
  *place = &copy;
  if (last_ == &frame) last_ = &copy;
  copy.next = frame.next;
  copy.wire = frame.wire;
  copy.written = frame.written;
}

void Connection::redirect(const Pieces& landing) {
  const std::size_t arrived = header_.payload - payload_left_;
  landing_ = landing;
  piece_ = piece_filled_ = 0;
  skip(arrived);
}

bool Connection::receive(FrameHandler& handler, Bytes staging) {
  std::size_t received = 0;
  while (received < bytes_per_turn && !ended_) {
    PieceList pieces;
    bool complete = true;
    for (std::size_t i = piece_, filled = piece_filled_; payload_left_ > 0 && i < landing_.size() && complete; ++i) {
      complete = pieces.add(landing_[i].data + filled, landing_[i].size - filled);
      filled = 0;
    }
    // The next frames follow the payload. They go to the staging memory.
    const std::size_t to_landing = pieces.bytes();
    const std::size_t before = payload_left_ > 0 ? 0 : wire_arrived_;
    // If the handler can guess it, the payload of the next frame is read into its place at once.
    const Guess guess =
        payload_left_ > 0 || wire_arrived_ > 0 ? Guess{} : handler.likely_landing(peer_, large_payload, most_copied);
    const Piece& guessed = guess.memory;
    // After a large frame another one is likely. If no payload is in progress, read only a header, so that the next
    // payload does not pass through the staging memory.
    const bool header_only = payload_left_ == 0 && header_.payload > most_copied && guessed.size == 0;
    const std::size_t most = header_only ? wire_.size() : most_staged;
    if (guessed.size > 0) {  // the staging memory has a hole of the guess's size
      pieces.add(staging.data(), wire_.size());
      pieces.add(guessed.data, guessed.size);
      if (guessed.size < most_copied) pieces.add(staging.data() + wire_.size() + guessed.size, most_staged);
    } else if (complete && pieces.add(staging.data() + before, most - before)) {
      std::copy_n(wire_.data(), before, staging.data());
    }
    const ssize_t result = pieces.receive(descriptor_);
    if (result <= 0) {
      end(result);
      break;
    }
    const auto size = static_cast<std::size_t>(result);
    received += size;
    window_.was_read(descriptor_, size);
    if (to_landing > 0) take_payload(handler, std::min(size, to_landing));
    const Bytes staged = staging.first(before + size - std::min(size, to_landing));
    if (!(guessed.size > 0 ? take_guessed(handler, guess, staged) : parse(handler, staged))) ended_ = true;
    const bool just_one = guessed.size > 0 && payload_left_ == 0 && wire_arrived_ == 0;  // then more data are unlikely
    if ((size < pieces.bytes() || just_one) && failure_.empty()) break;
  }
  return received > 0;
}

// Handles bytes that start with a header. The bytes after the size of a whole header are in the guessed memory, up to
// its size. Returns false if the bytes can't be trusted.
bool Connection::take_guessed(FrameHandler& handler, const Guess& guess, Bytes bytes) {
  if (bytes.size() <= wire_.size()) return parse(handler, bytes);
  std::byte* const there = guess.memory.data;
  const std::size_t guessed = std::min(bytes.size() - wire_.size(), guess.memory.size);
  const bool whole = bytes.front() == FrameHeader::whole_mark;  // otherwise the payload began earlier
  const bool begun = whole && begin_frame(handler, bytes.first(wire_.size()));
  const bool right = begun && payload_left_ > 0 && landing_[0].data == there;
  const std::size_t stays = right ? std::min({payload_left_, guessed, landing_[0].size}) : 0;
  detail::copy_bytes(bytes.data() + wire_.size() + stays, there + stays, guessed - stays);
  if (guess.before != nullptr) detail::copy_bytes(there + stays, guess.before + stays, guessed - stays);
  if (whole && !begun) return false;
  if (right) take_payload(handler, stays);
  return parse(handler, whole ? bytes.subspan(wire_.size() + stays) : bytes);
}

// Handles a receiving call that has returned no bytes.
void Connection::end(ssize_t result) {
  if (result == 0) {
    const bool within = payload_left_ > 0 || wire_arrived_ > 0;
    fail(within ? "connection closed in the middle of a frame" : "connection closed");
  } else if (!must_wait(errno)) {
    fail(describe(errno));
  }
  ended_ = !failure_.empty();  // also after a failure to write
}

bool Connection::discard(Bytes staging) {
  std::size_t received = 0;
  while (received < bytes_per_turn) {
    const ssize_t result = ::recv(descriptor_, staging.data(), staging.size(), MSG_DONTWAIT);
    if (result <= 0) {
      end(result);
      break;
    }
    received += static_cast<std::size_t>(result);
  }
  return received > 0;
}

// `size` bytes of the payload are in place.
void Connection::take_payload(FrameHandler& handler, std::size_t size) {
  payload_left_ -= size;
  skip(size);
  if (payload_left_ == 0) handler.frame_ends(peer_, header_);
}

// Skips `size` bytes of the landing that are filled.
void Connection::skip(std::size_t size) {
  while (size > 0) {
    const std::size_t part = std::min(size, landing_[piece_].size - piece_filled_);
    piece_filled_ += part;
    size -= part;
    if (piece_filled_ == landing_[piece_].size) {
      ++piece_;
      piece_filled_ = 0;
    }
  }
}

void Connection::copy_payload(FrameHandler& handler, ConstBytes bytes) {
  std::size_t piece = piece_;
  std::size_t filled = piece_filled_;
  for (ConstBytes left = bytes; !left.empty(); ++piece, filled = 0) {
    const std::size_t part = std::min(left.size(), landing_[piece].size - filled);
    detail::copy_bytes(landing_[piece].data + filled, left.data(), part);
    left = left.subspan(part);
  }
  take_payload(handler, bytes.size());
}

// Makes frames from bytes that start with the rest of a payload, or with a header. Returns false if they can't be
// trusted.
bool Connection::parse(FrameHandler& handler, ConstBytes bytes) {
  for (;;) {
    const std::size_t here = std::min(payload_left_, bytes.size());
    if (here > 0) copy_payload(handler, bytes.first(here));
    bytes = bytes.subspan(here);
    if (bytes.empty()) break;
    const std::size_t size = travelling_size(bytes.front());  // 0 for an invalid byte: refused below
    if (size > bytes.size()) break;
    if (!begin_frame(handler, bytes.first(size))) return false;
    bytes = bytes.subspan(size);
  }
  std::copy_n(bytes.data(), bytes.size(), wire_.data());
  wire_arrived_ = bytes.size();
  return true;
}

bool Connection::begin_frame(FrameHandler& handler, ConstBytes wire) {
  const std::optional<FrameHeader> header = reader_.read(wire);
  if (!header) {
    fail(damaged_header);
    return false;
  }
  header_ = *header;
  landing_.clear();
  piece_ = piece_filled_ = 0;
  std::size_t room = 0;
  if (handler.frame_begins(peer_, header_, landing_)) {
    for (const Piece& piece : landing_) room += piece.size;
  } else {
    fail("it sent a frame that makes no sense (kind " + std::to_string(static_cast<int>(header_.kind)) + ", group " +
         to_string(header_.group) + ", " + std::to_string(header_.payload) + " bytes)");
    return false;
  }
  if (room != header_.payload) {
    fail("no memory of the right size was given for its frame");
    return false;
  }
  payload_left_ = header_.payload;
  if (payload_left_ == 0) handler.frame_ends(peer_, header_);
  return true;
}

}  // namespace cohort
