// SPDX-License-Identifier: Apache-2.0
// What the other suite does not reach of the contract: links that are broken on purpose, another handler, and the
// optional parts. A transport without a part skips its test.
#include <poll.h>

#include <atomic>
#include <functional>
#include <list>
#include <map>
#include <thread>

#include "runtime/readable.hpp"
#include "tests/contract/player.hpp"
#include "tests/contract/transport_suite.hpp"

namespace cohort {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// One of three exchanges a frame with each of the others, unless their link breaks before.
void greet_all(Pid me, Player& player) {
  for (Pid step = 1; step < 3; ++step) player.send((me + step) % 3, 100);
  for (Pid step = 1; step < 3; ++step) {
    const Pid other = (me + step) % 3;
    player.until([&] { return player.received(other) >= 1 || player.lost(other); });
  }
}

TEST_P(TransportContract, ADisconnectedPeerIsNotHeardAndNotTold) {
  constexpr std::size_t MiB = 1 << 20;
  run(3, [&](Pid me, Transport& transport) {
    Player player(me, 3, transport);
    if (me == 1) player.expect_loss(0);
    greet_all(me, player);
    if (me == 0) {
      for (int i = 0; i < 16; ++i) player.send(1, MiB);
      player.disconnect(1);
      transport.disconnect(1);  // nothing happens: it is lost
      const std::size_t sent_later = player.sent_later();
      for (int i = 0; i < 10; ++i) transport.poll(-1);
      EXPECT_EQ(player.sent_later(), sent_later) << "its memory is the caller's already";
      EXPECT_TRUE(player.send(1, 100)) << "dropped at once";
    } else if (me == 1) {
      for (int i = 0; i < 10; ++i) player.send(0, 1000);
    }
    if (me != 1) {  // the others don't notice
      const Pid other = 2 - me;
      for (std::size_t i = 0; i < 20; ++i) player.send(other, i * 100);
      player.until([&] { return player.received(other) == 21; }, other);
    }
    player.leave();
  });
}

TEST_P(TransportContract, AResetIsToldOnBothSides) {
  run(3, [&](Pid me, Transport& transport) {
    Player player(me, 3, transport);
    if (me < 2) player.expect_loss(1 - me);
    greet_all(me, player);
    if (me < 2) {
      if (me == 0) transport.reset(1);
      player.until([&] { return player.lost(1 - me); }, 1 - me);
      EXPECT_FALSE(player.send_at_once(1 - me, 100));
      EXPECT_TRUE(player.send(1 - me, 100)) << "dropped at once";
      transport.reset(1 - me);  // nothing happens: it is lost
    }
    player.leave();
  });
}

// Counts what is told.
class Counter final : public FrameHandler {
 public:
  bool frame_begins(Pid from, const FrameHeader& header, Pieces& landing) override {
    bytes[from].resize(header.payload);
    if (header.payload > 0) landing.push_back({bytes[from].data(), header.payload});
    return true;
  }
  void frame_ends(Pid from, const FrameHeader&) override { ++frames[from]; }
  void frame_sent(Pid, OutgoingFrame&) override { ++sent_later; }
  void peer_lost(Pid, const std::string&) override { ++lost; }

  std::map<Pid, std::vector<std::byte>> bytes;
  std::map<Pid, int> frames;
  int sent_later = 0;
  int lost = 0;
};

TEST_P(TransportContract, AnotherHandlerIsToldOnceItIsAttached) {
  run(2, [&](Pid me, Transport& transport) {
    const Pid other = 1 - me;
    Counter first, second;
    std::list<OutgoingFrame> sent;
    transport.attach(first);
    const auto until = [&](const std::function<bool()>& condition) {
      for (const Nanoseconds end = transport.now() + seconds(30); !condition();) {
        ASSERT_LT(transport.now(), end);
        if (!transport.poll(other) && !condition()) transport.wait(milliseconds(100));
      }
    };
    if (me == 0) {
      transport.send(1, sent.emplace_back());
      until([&] { return first.frames[1] == 1; });
      transport.attach(second);
      transport.send(1, sent.emplace_back());
      until([&] { return second.frames[1] == 1; });
      EXPECT_EQ(first.frames[1], 1);
    } else {  // answers each
      for (int frames = 1; frames <= 2; ++frames) {
        until([&] { return first.frames[0] == frames; });
        transport.send(0, sent.emplace_back());
      }
      until([&] { return first.lost == 1; });
    }
    transport.close();
  });
}

// As a thread does that waits for several transports at once: until one of their descriptors is readable.
TEST_P(TransportContract, ASleepMayBeBesideTheTransport) {
  constexpr std::size_t frames = 100;
  if (!GetParam().threads) GTEST_SKIP() << "this world is in virtual time";
  run(2, [&](Pid me, Transport& transport) {
    Pollable* const pollable = transport.pollable();
    ASSERT_NE(pollable, nullptr);
    EXPECT_EQ(pollable, transport.pollable());
    Player player(me, 2, transport);
    const Pid other = 1 - me;
    std::vector<int> descriptors;
    std::vector<pollfd> entries;
    const auto wait_readable = [&](Nanoseconds most) {
      descriptors.clear();
      entries.clear();
      const Nanoseconds limit = std::min(most, pollable->before_sleep(descriptors));
      for (const int descriptor : descriptors) entries.push_back({descriptor, POLLIN, 0});
      if (limit > Nanoseconds(0)) wait_until_readable(entries, limit);
      transport.wait(Nanoseconds(0));
    };
    player.wait = [&] { wait_readable(seconds(30)); };
    const Nanoseconds start = transport.now();
    player.on_frame = [&](Pid from) {
      if (player.received(from) < frames) player.send(from, player.received(from) * 1000);
    };
    if (me == 0) player.send(1, 8);
    player.until([&] { return player.received(other) >= frames - (me == 0 ? 1 : 0); });
    EXPECT_LT(transport.now() - start, seconds(25)) << "a sleep did not end when a frame came";
    player.until([&] { return player.all_sent(); });

    for (int i = 0; i < 20; ++i) {
      std::thread waker([&] { transport.wake(); });
      wait_readable(seconds(30));
      waker.join();
      ASSERT_LT(transport.now() - start, seconds(25)) << "wake() did not end a sleep";
    }

    while (transport.poll(-1)) {
    }
    const Nanoseconds begun = transport.now();
    int sleeps = 0;
    for (; transport.now() - begun < milliseconds(200); ++sleeps) {
      wait_readable(milliseconds(20));
      transport.poll(-1);
    }
    EXPECT_LE(sleeps, 60) << "it spins";
    player.leave();
  });
}

// Goes on for a while until something was held back. Nobody can promise that: frames have to follow one another closely
// enough. tests/runtime/tcp/owned_time_test.cpp owns the time, and can.
TEST_P(TransportContract, WhatIsHeldBackLeavesWithAFlush) {
  constexpr std::size_t burst = 20;
  constexpr std::size_t least_rounds = 50;
  std::atomic<std::size_t> begun = 0, last_round = 0, heard_rounds = 0;
  run(2, [&](Pid me, Transport& transport) {
    Player player(me, 2, transport);
    Batching* const batching = transport.batching();
    EXPECT_EQ(batching, transport.batching());
    if (me == 0 && batching != nullptr) batching->hold_back([&] { ++begun; });
    const Nanoseconds end = transport.now() + seconds(2);
    for (std::size_t round = 1; round == 1 || last_round != round - 1; ++round) {
      if (me == 1) {
        player.send(0, 1);  // something happens there: else it may go to sleep, and nothing is held back
        player.until([&] { return player.received(0) == round * burst; }, 0);
        heard_rounds = round;
        continue;
      }
      player.until([&] { return player.received(1) == round; }, 1);
      const bool enough = batching == nullptr || begun > 0 || transport.now() > end;
      if (round >= least_rounds && enough) last_round = round;
      for (std::size_t i = 0; i < burst; ++i) player.send(1, i * 10);
      if (batching != nullptr) batching->flush();
      for (const Nanoseconds late = transport.now() + seconds(20); heard_rounds < round;) {
        if (GetParam().late) transport.poll(Carrier::in_passing);
        transport.wait(milliseconds(1));
        ASSERT_LT(transport.now(), late) << "something is held back still";
      }
    }
    player.leave();
  });
}

// Some frames leave or arrive at once, the others in the usual way: all arrive in order.
TEST_P(TransportContract, WhatLeavesOrArrivesAtOnceKeepsItsPlace) {
  constexpr std::size_t frames = 3000;
  run(2, [&](Pid me, Transport& transport) {
    const Pid other = 1 - me;
    EXPECT_EQ(transport.sends_at_once(other), transport.sends_at_once(other));
    EXPECT_EQ(transport.takes_at_once(other), transport.takes_at_once(other));
    Player player(me, 2, transport);
    std::size_t at_once = 0, received_at_once = 0;
    player.send(other, 8);
    player.until([&] { return player.received(other) > 0; }, other);  // the link is there
    for (std::size_t i = 1; i < frames; ++i) {
      const std::size_t size = i * 7919 % (i % 50 == 0 ? 40000 : 1500);
      if (i % 3 != 0 && player.send_at_once(other, size)) {
        ++at_once;
      } else {
        player.send(other, size, 1 + static_cast<int>(i % 3));
      }
      if (i % 10 == 0) transport.poll(-1);
      if (i % 2 == 0 && player.receive_at_once(other)) ++received_at_once;
    }
    player.until(
        [&] {
          while (player.received(other) < frames && player.receive_at_once(other)) ++received_at_once;
          return player.received(other) == frames;
        },
        other);
    EXPECT_EQ(transport.sends_at_once(other) != nullptr, at_once > 0);
    EXPECT_EQ(transport.takes_at_once(other) != nullptr, received_at_once > 0);
    player.leave();
  });
}

TEST_P(TransportContract, AProcessThatComputesLetsOthersIn) {
  std::atomic<bool> sent = false;
  run(2, [&](Pid me, Transport& transport) {
    Player player(me, 2, transport);
    Liveness* const liveness = transport.liveness();
    EXPECT_EQ(liveness, transport.liveness());
    if (me == 1) {
      player.send(0, 100);
      player.until([&] { return player.all_sent(); }, 0);
      sent = true;
    } else {
      const Nanoseconds end = transport.now() + seconds(30);
      bool again = false;
      while ((!sent || again) && transport.now() < end) {
        again = liveness != nullptr && liveness->greet();
        transport.wait(milliseconds(1));
      }
      EXPECT_TRUE(sent);
      EXPECT_EQ(player.received(1), 0u) << "greet() has called the handler";
      player.until([&] { return player.received(1) == 1; }, 1);
      player.send(1, 100);
    }
    player.until([&] { return player.received(1 - me) >= 1; });
    if (liveness != nullptr) {
      EXPECT_TRUE(liveness->silent(seconds(20)).empty());
    }
    player.leave();
  });
}

}  // namespace
}  // namespace cohort
