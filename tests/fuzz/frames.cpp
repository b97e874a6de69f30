// SPDX-License-Identifier: Apache-2.0
// What a process of the job sends that has gone mad: bytes on the connection, in front of the real reader and matching.
//
// Where the first byte is even, the checksums of headers are made right, so that what is behind them is reached: the
// input is then a list of headers, each with as many bytes of payload behind it as there are up to the size it names.
// They travel whole where it is a multiple of eight, else as a connection's other side writes them. It comes in up to
// four pieces; what waits for it, another three bits say.
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "runtime/heard_frames.hpp"
#include "runtime/messages/messenger.hpp"
#include "runtime/transport/tcp/connection.hpp"
#include "tests/support/silent_transport.hpp"

namespace {

using namespace cohort;

struct Receiver final : TransferOwner {
  explicit Receiver(std::uint64_t tag, std::size_t size) : memory(size) {
    transfer.peer = 1;
    transfer.envelope = {GroupId{}, tag, Channel::user};
    transfer.owner = this;
    transfer.memory = {Piece{memory.data(), size}};
    transfer.capacity = size;
  }
  void transfer_ended(Transfer&) override {}
  std::vector<std::byte> memory;
  ReceiveTransfer transfer;
};

FrameHeader header_of(ConstBytes bytes) {
  FrameHeader header;
  std::array<std::byte, 60> field{};
  std::copy_n(bytes.data(), std::min(field.size(), bytes.size()), field.data());
  std::memcpy(&header.group.derivation, &field[0], 8);
  std::memcpy(&header.tag, &field[8], 8);
  std::memcpy(&header.length, &field[16], 8);
  std::memcpy(&header.offset, &field[24], 8);
  std::memcpy(&header.call.type, &field[24], 4);
  std::memcpy(&header.call.reduction, &field[28], 4);
  std::memcpy(&header.group.counter, &field[32], 4);
  std::memcpy(&header.group.pid, &field[36], 4);
  std::memcpy(&header.transfer, &field[40], 4);
  std::memcpy(&header.payload, &field[44], 4);
  std::memcpy(&header.credit, &field[48], 4);
  std::memcpy(&header.kind, &field[52], 1);
  std::memcpy(&header.channel, &field[53], 1);
  std::memcpy(&header.call.operation, &field[54], 1);
  std::memcpy(&header.call.argument, &field[55], 4);
  return header;
}

std::vector<std::byte> with_checksums(ConstBytes bytes, bool whole) {
  HeaderWriter writer;
  std::vector<std::byte> wire;
  while (!bytes.empty()) {
    const FrameHeader header = header_of(bytes);
    TravellingHeader encoded;
    writer.write(header, encoded);
    if (whole) {
      WireHeader all;
      encode(header, all);
      HeaderWriter::write_whole(all, encoded);
    }
    wire.insert(wire.end(), encoded.data(), encoded.data() + travelling_size(encoded));
    bytes = bytes.subspan(std::min<std::size_t>(60, bytes.size()));
    const std::size_t payload = std::min<std::size_t>(header.payload, bytes.size());
    wire.insert(wire.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(payload));
    bytes = bytes.subspan(payload);
  }
  return wire;
}

// As if a message had come that is as long as the receive's memory.
void fill(Messenger& messenger, const ReceiveTransfer& receive) {
  FrameHeader header;
  header.kind = FrameKind::message;
  header.tag = receive.envelope.tag;
  header.length = header.payload = static_cast<std::uint32_t>(receive.capacity);
  Pieces landing;
  if (!messenger.frame_begins(1, header, landing)) std::abort();
  messenger.frame_ends(1, header);
  messenger.dispatch();
}

bool can_exist(const GroupId& group) { return group.pid < 2; }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > 16'384) return 0;
  const ConstBytes input(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
  const std::vector<std::byte> wire =
      data[0] % 2 == 0 ? with_checksums(input, data[0] % 8 == 0) : std::vector<std::byte>(input.begin(), input.end());

  testing::SilentTransport transport;
  constexpr std::uint64_t window = 256 * 1024;
  Messenger messenger(
      transport, 0, 4,
      {.lost = [](Pid, const std::string&) {},
       .heard =
           [](Pid from, frames::Control frame) {
             if (frame.header.kind == FrameKind::failure)
               told_by(from, frames::GroupFailure::of(frame.header, std::move(frame.words)), 4);
           },
       .is_valid = [](const FrameHeader& control) { return frames::is_valid_control(control, 4, can_exist); },
       .can_exist = can_exist},
      window);
  Receiver small(0, 64), large(1, 100'000);
  messenger.start(small.transfer);
  const bool one_waits = data[0] % 4 >= 2;  // its memory is where payloads are read to
  if (one_waits) fill(messenger, small.transfer);
  large.transfer.exact = (data[0] & 16) != 0;
  messenger.start(large.transfer);

  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()) != 0) std::abort();
  Connection connection(1);
  connection.start(ends[0]);
  static std::vector<std::byte> staging(Connection::staging_size);
  const std::size_t at_once = wire.size() / (1 + data[0] / 64) + 1;
  for (ConstBytes left = wire; !left.empty() && !connection.ended();) {
    for (int i = 0; i < 2; ++i) connection.receive(messenger, staging);  // nothing: what waits is set aside
    const ssize_t written = ::send(ends[1], left.data(), std::min(left.size(), at_once), MSG_NOSIGNAL);
    if (written <= 0) std::abort();
    left = left.subspan(static_cast<std::size_t>(written));
    connection.receive(messenger, staging);
    messenger.dispatch();
  }
  const ConstBytes behind = ConstBytes(large.memory).subspan(large.transfer.length);
  if (!large.transfer.exact && std::ranges::count(behind, std::byte{0}) < std::ssize(behind)) std::abort();
  if (messenger.unexpected_bytes() > wire.size() + window) std::abort();  // by what it claims
  ::close(ends[0]);
  ::close(ends[1]);
  const auto gone = std::make_shared<const Fault>(Fault{ErrorCode::peer_lost, "gone"});
  messenger.fail_all(gone);
  messenger.dispatch();
  return 0;
}
