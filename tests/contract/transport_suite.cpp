// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/transport_suite.hpp"

#include <array>
#include <atomic>
#include <mutex>
#include <random>
#include <thread>

#include "tests/contract/player.hpp"

namespace cohort {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t header = FrameHeader::wire_size;
constexpr std::size_t KiB = 1024;
constexpr std::size_t MiB = 1024 * KiB;

// Around every size at which something in a transport could change.
const std::vector<std::size_t> sizes = {0,
                                        1,
                                        2,
                                        header - 1,
                                        header,
                                        header + 1,
                                        2 * header,
                                        4 * KiB - header,
                                        8 * KiB,
                                        8 * KiB + 1,
                                        8 * KiB + header,
                                        8 * KiB + header + 1,
                                        8 * KiB + 2 * header,
                                        8 * KiB + 2 * header + 1,
                                        16 * KiB - header - 1,
                                        16 * KiB - header,
                                        16 * KiB - header + 1,
                                        16 * KiB - 1,
                                        16 * KiB,
                                        32 * KiB - 2 * header,
                                        32 * KiB - 1,
                                        32 * KiB,
                                        32 * KiB + 1,
                                        64 * KiB - 2 * header,
                                        64 * KiB - header - 1,
                                        64 * KiB - header,
                                        64 * KiB - header + 1,
                                        64 * KiB - 1,
                                        64 * KiB,
                                        64 * KiB + 1,
                                        4 * MiB};

TEST_P(TransportContract, FramesOfAllSizesArriveInOrderAndUnchanged) {
  constexpr std::size_t frames = 3000;
  run(2, [&](Pid me, Transport& transport) {
    Player player(me, 2, transport);
    const Pid other = 1 - me;
    std::mt19937 random(static_cast<unsigned>(me));
    for (std::size_t i = 0; i < frames; ++i) {
      const bool any = random() % 16 == 0;
      const std::size_t size = any ? sizes[random() % sizes.size()] : random() % 300;
      player.send(other, size, 1 + static_cast<int>(random() % 5));
      const Pid expected = std::array<Pid, 3>{other, -1, Carrier::in_passing}[random() % 3];
      if (random() % 8 == 0) transport.poll(expected);
    }
    player.until([&] { return player.received(other) == frames; }, other);
    player.leave();
  });
}

TEST_P(TransportContract, EverySizeInEveryNumberOfPieces) {
  run(2, [&](Pid me, Transport& transport) {
    Player player(me, 2, transport);
    std::size_t expected = 0;
    for (const std::size_t size : sizes) {
      for (const int pieces : {1, 2, 3, 7, 150}) {
        ++expected;
        if (me == 0) player.send(1, size, pieces);
        player.until([&] { return player.received(1 - me) == expected; }, 1 - me);
        if (me == 1) player.send(0, size, pieces);
      }
    }
    player.leave();
  });
}

TEST_P(TransportContract, EveryoneSendsToEveryone) {
  constexpr std::size_t frames = 60;
  for (int ranks = 2; ranks <= 8; ++ranks) {
    run(ranks, [&](Pid me, Transport& transport) {
      Player player(me, ranks, transport);
      for (std::size_t i = 0; i < frames; ++i) {
        for (Pid step = 1; step < ranks; ++step) {
          const Pid to = (me + step) % ranks;
          player.send(to, i % 20 == 7 ? 200 * KiB + i : i * 37, 1 + static_cast<int>(i % 3));
        }
      }
      for (Pid step = 1; step < ranks; ++step) {
        const Pid from = (me + step) % ranks;
        player.until([&] { return player.received(from) == frames; }, step % 2 == 0 ? from : -1);
      }
      player.leave();
    });
  }
}

TEST_P(TransportContract, Case24BothMaySendFirst) {
  for (int repetition = 0; repetition < 100; ++repetition) {
    run(2, [&](Pid me, Transport& transport) {
      Player player(me, 2, transport);
      for (std::size_t i = 0; i < 5; ++i) player.send(1 - me, i * 50);
      player.until([&] { return player.received(1 - me) == 5; }, repetition % 2 == 0 ? 1 - me : -1);
      player.leave();
    });
  }
}

TEST_P(TransportContract, HandlersMaySend) {
  constexpr std::size_t rounds = 2000;
  run(2, [&](Pid me, Transport& transport) {
    Player player(me, 2, transport);
    const Pid other = 1 - me;
    player.on_frame = [&](Pid from) {
      if (player.received(from) < rounds) player.send(from, player.received(from) % 97 == 0 ? 300 * KiB : 8);
    };
    if (me == 0) player.send(1, 8);
    const std::size_t last = me == 0 ? rounds - 1 : rounds;
    player.until([&] { return player.received(other) >= last; }, other);
    player.leave();
  });
}

TEST_P(TransportContract, SendDoesNotWaitForThePeer) {
  constexpr std::size_t frames = 64;
  std::atomic<bool> sent = false;
  run(2, [&](Pid me, Transport& transport) {
    Player player(me, 2, transport);
    if (me == 0) {
      for (std::size_t i = 0; i < frames; ++i) player.send(1, MiB, 2);
      sent = true;
    } else {
      while (!sent) transport.wait(milliseconds(1));
      player.until([&] { return player.received(0) == frames; });
    }
    player.leave();
    EXPECT_TRUE(player.all_sent());
  });
}

// A process that waits for one peer, and can't sleep because another one has sent, would take turns in vain.
TEST_P(TransportContract, WhoExpectsOnePeerIsNotKeptAwakeByAnother) {
  constexpr int few = 8;
  run(3, [&](Pid me, Transport& transport) {
    Player player(me, 3, transport);
    for (Pid other = 0; other < 3; ++other) {
      if (other != me) player.send(other, 8);
    }
    player.until([&] { return player.received((me + 1) % 3) >= 1 && player.received((me + 2) % 3) >= 1; });
    if (me == 2) player.send(0, 8);
    int waits = 0;
    if (me == 0) {
      player.wait = [&] {
        ++waits;
        transport.wait(seconds(1));
      };
      player.until([&] { return player.received(2) >= 2; }, 1);
      EXPECT_LE(waits, few);
    }
    player.leave();
  });
}

TEST_P(TransportContract, WaitEndsAfterTheLimitAndDoesNotSpin) {
  run(2, [&](Pid me, Transport& transport) {
    Player player(me, 2, transport);
    player.send(1 - me, 1);
    player.until([&] { return player.received(1 - me) == 1; });
    while (transport.poll(-1)) {
    }
    const Nanoseconds start = transport.now();
    int waits = 0;
    for (; transport.now() - start < milliseconds(200); ++waits) {
      transport.wait(milliseconds(20));
      transport.poll(-1);
    }
    EXPECT_LE(waits, 30);
    EXPECT_LT(transport.now() - start, seconds(20));
    player.leave();
  });
}

TEST_P(TransportContract, APeerThatWentAwayIsLostOnceAfterItsLastFrame) {
  constexpr std::size_t frames = 20;
  run(3, [&](Pid me, Transport& transport) {
    Player player(me, 3, transport);
    if (me == 2) {
      for (std::size_t i = 0; i < frames; ++i) {
        player.send(0, i == 10 ? MiB : i);
        player.send(1, i == 10 ? MiB : i);
      }
      player.until([&] { return player.all_sent(); });
      return;
    }
    player.expect_loss(2);
    player.until([&] { return player.lost(2); }, 2);
    EXPECT_EQ(player.received(2), frames);
    EXPECT_TRUE(player.send(2, 100)) << "a frame for a lost peer is dropped at once";

    const Pid other = 1 - me;  // the others don't notice
    for (std::size_t i = 0; i < 50; ++i) player.send(other, i * 1000);
    player.until([&] { return player.received(other) == 50; });
    player.leave();
  });
}

TEST_P(TransportContract, FramesForALostPeerAreTheirOwnersAgain) {
  run(2, [&](Pid me, Transport& transport) {
    Player player(me, 2, transport);
    if (me == 1) {
      player.until([&] { return player.received(0) >= 1; });
      return;
    }
    player.expect_loss(1);
    player.send(1, 1);
    player.until([&] { return player.all_sent(); });
    for (std::size_t i = 0; i < 32; ++i) player.send(1, MiB);
    player.until([&] { return player.lost(1); });
    const std::size_t sent_later = player.sent_later();
    for (int i = 0; i < 10; ++i) transport.poll(-1);
    EXPECT_EQ(player.sent_later(), sent_later);
  });
}

TEST_P(TransportContract, MemoryCanBeTakenBackAtAnyTime) {
  constexpr std::size_t frames = 48;
  run(2, [&](Pid me, Transport& transport) {
    Player player(me, 2, transport);
    const Pid other = 1 - me;
    for (std::size_t i = 0; i < frames; ++i) player.send(other, i % 3 == 0 ? MiB : i, 3);
    int turns = 0, next = 1;
    player.on_turn = [&] {  // copies all that is left: ever more rarely
      if (++turns < next) return;
      next = turns + 1 + turns / 3;
      player.take_back(other);
    };
    player.until([&] { return player.received(other) == frames; });
    player.leave();
  });
}

TEST_P(TransportContract, CloseDeliversWhatWasSent) {
  constexpr std::size_t frames = 8;
  run(3, [&](Pid me, Transport& transport) {
    Player player(me, 3, transport);
    if (me == 2) {
      for (std::size_t i = 0; i < frames; ++i) player.send(0, MiB + i, 3);
      for (std::size_t i = 0; i < frames; ++i) player.send(1, i);
      transport.close();
      return;
    }
    player.send(2, 10);  // nobody reads this: it must not keep the rest from arriving
    player.expect_loss(2);
    player.until([&] { return player.lost(2); });
    EXPECT_EQ(player.received(2), frames) << player.cause(2);
    player.leave();
  });
}

TEST_P(TransportContract, AnyThreadCanEndAWait) {
  if (!GetParam().threads) GTEST_SKIP() << "this world runs one thread";
  run(1, [&](Pid me, Transport& transport) {
    Player player(me, 1, transport);
    transport.wake();
    const Nanoseconds start = transport.now();
    transport.wait(seconds(30));
    for (int i = 0; i < 100; ++i) {
      std::thread waker([&] { transport.wake(); });
      transport.wait(seconds(30));
      waker.join();
    }
    EXPECT_LT(transport.now() - start, seconds(25));
    transport.close();
  });
}

// The runtime's way: a driver that sleeps without the lock, and other threads that send.
TEST_P(TransportContract, AnyThreadMaySendWhileTheDriverSleeps) {
  if (!GetParam().threads) GTEST_SKIP() << "this world runs one thread";
  constexpr std::size_t frames = 200;
  run(2, [&](Pid me, Transport& transport) {
    Player player(me, 2, transport);
    const Pid other = 1 - me;
    std::mutex lock;
    std::thread sender([&] {
      for (std::size_t i = 0; i < frames; ++i) {
        const std::lock_guard guard(lock);
        player.send(other, i % 10 == 3 ? 2 * MiB : i);
      }
    });
    const Nanoseconds start = transport.now();
    for (bool finished = false; !finished;) {
      {
        const std::lock_guard guard(lock);
        const bool happened = transport.poll(-1);
        finished = player.received(other) == frames && player.all_sent();
        if (happened || finished) continue;
      }
      transport.wait(seconds(30));
    }
    sender.join();
    EXPECT_LT(transport.now() - start, seconds(25));
    player.leave();
  });
}

}  // namespace
}  // namespace cohort
