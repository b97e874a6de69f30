// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/shared/shared_link.hpp"
#include "runtime/transport/shared/shared_transport.hpp"
#include "tests/contract/player.hpp"
#include "tests/contract/tcp_world.hpp"
#include "tests/contract/transport_suite.hpp"
#include "tests/support/shared_memory.hpp"

namespace cohort {
namespace {

using testing::make_shared_transports;

// Ranks as threads.
auto run_in_shared_memory(Pid processes, SharedLimits limits) {
  return [=](int ranks, const std::function<void(Pid me, Transport&)>& rank) {
    run_each(make_shared_transports(ranks, processes, limits), rank);
  };
}

constexpr SharedLimits always_direct{.direct_from = 1};
constexpr SharedLimits in_turn{.direct_from = std::size_t{64} << 10, .in_turn = true};

INSTANTIATE_TEST_SUITE_P(Shared, TransportContract,
                         ::testing::Values(World{"shared", true, run_in_shared_memory(2, {})},
                                           World{"in_turn", true, run_in_shared_memory(2, in_turn)},
                                           World{"short_rings", true, run_in_shared_memory(64, {})},
                                           World{"direct", true, run_in_shared_memory(2, always_direct)}));

// Otherwise a process that receives after its send would find the answer before it has a place for it.
TEST(SharedMemory, ASenderHearsThatItsPayloadWasReadARoundBeforeItFindsTheAnswer) {
  constexpr int enough = 1000;
  if (measured_limits(false, 0).direct_from == SharedLimits{}.direct_from) GTEST_SKIP() << "the system forbids it";
  std::vector<std::unique_ptr<Transport>> transports = make_shared_transports(2, 2, always_direct);
  Player sender(0, 2, *transports[0]);
  Player receiver(1, 2, *transports[1]);
  sender.send(1, 8);
  receiver.send(0, 8);
  for (int round = 0; round < 3; ++round) {  // both have found out that they can read each other
    transports[0]->poll(1);
    transports[1]->poll(0);
  }
  for (std::size_t answers = 2; answers < 100; ++answers) {
    EXPECT_FALSE(sender.send(1, 100'000));
    for (int i = 0; i < enough && receiver.received(0) < answers; ++i) transports[1]->poll(0);
    ASSERT_EQ(receiver.received(0), answers);
    receiver.send(0, 8);
    EXPECT_FALSE(sender.all_sent());
    transports[0]->poll(1);
    EXPECT_TRUE(sender.all_sent());
    EXPECT_EQ(sender.received(1), answers - 1);
    for (int i = 0; i < enough && sender.received(1) < answers; ++i) transports[0]->poll(1);
    ASSERT_EQ(sender.received(1), answers);
  }
}

// Counts frames; wants their payloads or does not.
class Reader final : public FrameHandler {
 public:
  explicit Reader(bool wants) : wants_(wants) {}
  bool frame_begins(Pid, const FrameHeader& header, Pieces& landing) override {
    bytes_.resize(header.payload);
    landing.push_back({bytes_.data(), bytes_.size()});
    return true;
  }
  bool discards(Pid) override { return !wants_; }
  void frame_ends(Pid, const FrameHeader&) override { ++frames; }
  void frame_sent(Pid, OutgoingFrame&) override {}
  void peer_lost(Pid, const std::string&) override { lost = true; }

  int frames = 0;
  bool lost = false;

 private:
  const bool wants_;
  std::vector<std::byte> bytes_;
};

// As when a call has failed: its payload is of no use to anybody, but what follows it may belong to another group.
TEST(SharedMemory, APayloadThatNobodyWantsAndThatIsGoneHidesNothingBehindIt) {
  if (measured_limits(false, 0).direct_from == SharedLimits{}.direct_from) GTEST_SKIP() << "the system forbids it";
  for (const bool wants : {false, true}) {
    std::vector<std::unique_ptr<Transport>> transports = make_shared_transports(2, 2, always_direct);
    Reader reader(wants);
    transports[1]->attach(reader);
    const std::vector<std::byte> bytes(100'000);
    OutgoingFrame long_frame, first, last;
    long_frame.header.payload = bytes.size();
    long_frame.payload.push_back({bytes.data(), bytes.size()});
    EXPECT_TRUE(transports[0]->send(1, first));
    while (reader.frames == 0) transports[1]->poll(0);  // it has found out that it can read the sender's memory
    ASSERT_FALSE(transports[0]->send(1, long_frame));
    EXPECT_TRUE(transports[0]->send(1, last));
    transports[0].reset();
    for (int i = 0; i < 10 && !reader.lost; ++i) transports[1]->poll(0);
    EXPECT_TRUE(reader.lost);
    EXPECT_EQ(reader.frames, wants ? 1 : 3);
  }
}

TEST(SharedMemory, AResetBeforeBothHaveSpokenIsToldOnceTheyDo) {
  std::vector<std::unique_ptr<Transport>> transports = make_shared_transports(2, 2, {});
  Reader reader(true);
  transports[1]->attach(reader);
  transports[0]->reset(1);
  transports[1]->poll(-1);
  EXPECT_FALSE(reader.lost);
  OutgoingFrame frame;
  transports[1]->send(0, frame);
  transports[1]->poll(-1);
  EXPECT_TRUE(reader.lost);
}

TEST(SharedMemory, WhoClosesWaitsNoLongerThanUntilItsPayloadsWereRead) {
  run_in_shared_memory(2, always_direct)(2, [&](Pid me, Transport& transport) {
    Player player(me, 2, transport);
    if (me == 1) player.expect_loss(0);  // perhaps in the poll that finds its first frame
    player.send(1 - me, 8);
    player.until([&] { return player.received(1 - me) == 1; });
    if (me == 1) return player.until([&] { return player.lost(0); });
    player.send(1, 100'000);
    const Nanoseconds start = transport.now();
    transport.close();
    EXPECT_LT(transport.now() - start, std::chrono::milliseconds(1500));  // for those that do not read it waits 2 s
  });
}

// The peer may have been stopped in the middle of it.
TEST(SharedMemory, ASenderDoesNotStayForeverWithWhoReadsItsPayload) {
  constexpr std::uint32_t payload = 100'000;
  for (const bool in_turn : {false, true}) {
    const auto memory = HostMemory::make(2);
    shared::SharedLink link(1, in_turn);
    link.place = 1;
    link.out.emplace(memory->ring(0, 1), memory->ring_size());
    shared::RingReader(memory->ring(0, 1), memory->ring_size()).reads_directly();
    const std::vector<std::byte> bytes(payload);
    OutgoingFrame frame;
    frame.header.payload = payload;
    frame.payload.push_back({bytes.data(), bytes.size()});
    ASSERT_EQ(link.write(frame, 1, *memory), shared::SharedLink::Written::as_reference);
    EXPECT_FALSE(link.is_being_read());
    link.references.front().reference->begun.store(1);
    std::uint32_t stays = 0;
    while (link.is_being_read()) ASSERT_LT(++stays, payload);
    EXPECT_EQ(stays > 0, !in_turn);
  }
}

TEST(SharedMemory, LimitsAreMeasured) {
  constexpr std::size_t ring = std::size_t{64} << 10;
  const SharedLimits alone = measured_limits(/*in_turn=*/false, ring);
  EXPECT_GE(alone.direct_from, std::size_t{4} << 10);
  EXPECT_FALSE(alone.in_turn);
  EXPECT_GE(measured_limits(/*in_turn=*/true, ring).direct_from, ring);
}

}  // namespace
}  // namespace cohort
