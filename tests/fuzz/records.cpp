// SPDX-License-Identifier: Apache-2.0
// What the memory of a host may hold after a process has gone mad in it: any bytes in the ring to this process, in
// front of the real reader and matching.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "runtime/messages/messenger.hpp"
#include "runtime/transport/shared/shared_link.hpp"
#include "tests/support/silent_transport.hpp"

namespace {

using namespace cohort;

struct Receiver final : TransferOwner {
  Receiver() {
    transfer.peer = 1;
    transfer.owner = this;
    transfer.memory = {Piece{memory.data(), memory.size()}};
    transfer.capacity = memory.size();
  }
  void transfer_ended(Transfer&) override {}
  std::vector<std::byte> memory = std::vector<std::byte>(1000);
  ReceiveTransfer transfer;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto memory = HostMemory::make(2);
  std::byte* const ring = memory->ring(1, 0);
  std::memset(ring, 0, memory->ring_size());
  std::memcpy(ring + sizeof(shared::RingWords), data, std::min(size, memory->ring_size() - sizeof(shared::RingWords)));

  testing::SilentTransport transport;
  constexpr std::uint64_t window = 256 * 1024;
  Messenger messenger(transport, 0, 4,
                      {.lost = [](Pid, const std::string&) {},
                       .heard = [](Pid, const frames::Control&) {},
                       .is_valid = [](const FrameHeader&) { return true; },
                       .can_exist = [](const GroupId& group) { return group.pid < 2; }},
                      window);
  Receiver receiver;
  messenger.start(receiver.transfer);
  shared::SharedLink link(1, /*takes_turns=*/false);
  link.place = 1;
  link.in.emplace(ring, memory->ring_size());
  for (int i = 0; i < 5000; ++i) {  // a ring without an end is read again and again
    const shared::RingReader::Record record = link.in->next();
    if (record.valid && record.kind == shared::RecordKind::nothing) break;
    if (link.take(record, messenger, *memory) != nullptr) break;
    link.in->free(record);
    if (link.arriving.active() && link.arriving.missing() == 0) {
      link.arriving.end();
      messenger.frame_ends(1, link.arriving.header());
    }
    messenger.dispatch();
  }
  if (messenger.unexpected_bytes() > window) std::abort();
  messenger.fail_all(std::make_shared<const Fault>(Fault{ErrorCode::peer_lost, "gone"}));
  messenger.dispatch();
  return 0;
}
