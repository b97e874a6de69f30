// SPDX-License-Identifier: Apache-2.0
// Point-to-point messages: the five properties of channels (design section 3), on every transport.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <numeric>

#include "runtime/messages/credit.hpp"
#include "runtime/messages/messenger.hpp"
#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes pattern(std::size_t size, unsigned salt) {
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>((i * 131 + i / 251 + salt * 17) & 0xff);
  return bytes;
}

class Channels : public ::testing::TestWithParam<Kind> {
 protected:
  void everywhere(Pid ranks, const std::function<void(const Group&)>& program) const {
    run_all({GetParam(), ranks, true, {}}, program);
  }
};

// Around the credit, half of it, and the frames of large messages.
std::vector<std::size_t> sizes_around(std::size_t credit) {
  const std::size_t most = credit - Credit::message_overhead;  // that goes out unasked
  return {0,          1,          7,          1000,   65'536,     300'000,
          credit / 2, most,       most + 1,   credit, credit + 1, credit + Messenger::least_data,
          9'000'001,  20'000'000, 3 * credit, 5};
}

TEST_P(Channels, MessagesOfEverySizeArriveInOrder) {
  for (const std::uint64_t credit : {small_credit, Messenger::window_for(2)}) {
    World world{GetParam(), 2};
    world.credit = credit;
    run_all(world, [&](const Group& all) {
      for (int round = 0; round < 2; ++round) {  // first the sender is early, then the receiver
        unsigned salt = 0;
        for (const std::size_t size : sizes_around(credit)) {
          ++salt;
          if (all.rank() == 0) {
            all.send(pattern(size, salt), 1);
          } else {
            Bytes got(size);
            EXPECT_EQ(all.receive(got, 0), static_cast<Count>(size));
            ASSERT_EQ(got, pattern(size, salt)) << "size " << size;
          }
        }
        if (all.rank() == 1) all.send(1, 0);
        if (all.rank() == 0) {
          EXPECT_EQ(all.receive<int>(1), 1);
        }
      }
    });
  }
}

TEST_P(Channels, SameTagIsFifoAndTagsDoNotInterfere) {
  everywhere(2, [](const Group& all) {
    constexpr int many = 300;
    if (all.rank() == 0) {
      std::vector<Bytes> data;
      std::vector<Request> requests;
      for (int i = 0; i < many; ++i)
        data.push_back(pattern(static_cast<std::size_t>(i % 7 == 0 ? 20'000 : i), static_cast<unsigned>(i)));
      for (int i = 0; i < many; ++i)
        requests.push_back(all.start().send(data[static_cast<std::size_t>(i)], 1, static_cast<Tag>(i % 3)));
      wait_all(requests);
    } else {
      for (const int tag : {2, 0, 1}) {  // not in the order of sending
        for (int i = tag; i < many; i += 3) {
          Bytes got(20'000);
          got.resize(static_cast<std::size_t>(all.receive(got, 0, static_cast<Tag>(tag))));
          ASSERT_EQ(got, pattern(static_cast<std::size_t>(i % 7 == 0 ? 20'000 : i), static_cast<unsigned>(i)));
        }
      }
    }
  });
}

// Whatever else has arrived, how much ever, does not keep a receive from its message.
TEST_P(Channels, AFloodDoesNotKeepAnotherMessageFromItsReceive) {
  everywhere(3, [](const Group& all) {
    constexpr std::size_t many = 200;
    const Bytes flood = pattern(50'000, 1);  // together 10 MB: 40 windows of credit
    if (all.rank() == 2) {
      EXPECT_EQ(all.receive<int>(1, Tag{9}), 11);
      EXPECT_EQ(all.receive<int>(0, Tag{9}), 10);  // behind the flood, in the same channel
      for (std::size_t i = 0; i < many; ++i) {
        Bytes got(flood.size());
        all.receive(got, 0);
        ASSERT_EQ(got, flood);
      }
    } else if (all.rank() == 0) {
      std::vector<Request> requests;
      for (std::size_t i = 0; i < many; ++i) requests.push_back(all.start().send(flood, 2));
      all.send(10, 2, Tag{9});
      wait_all(requests);
    } else {
      all.send(11, 2, Tag{9});
    }
  });
}

TEST_P(Channels, ExchangeInACycleNeedsNoBuffer) {
  everywhere(5, [](const Group& all) {
    const Rank right = (all.rank() + 1) % all.size(), left = (all.rank() + all.size() - 1) % all.size();
    for (const std::size_t size : {std::size_t{0}, std::size_t{5}, std::size_t{2'000'000}}) {
      Bytes got(size);
      EXPECT_EQ(all.exchange(pattern(size, static_cast<unsigned>(all.rank())), right, got, left),
                static_cast<Count>(size));
      ASSERT_EQ(got, pattern(size, static_cast<unsigned>(left)));
    }
  });
}

TEST_P(Channels, Case54ToOneself) {
  everywhere(2, [](const Group& all) {
    const Bytes large = pattern(1'000'000, 3);
    all.send(large, all.rank());  // buffered
    all.send(Bytes{}, all.rank());
    Bytes got(large.size());
    EXPECT_EQ(all.receive(got, all.rank()), 1'000'000);
    EXPECT_EQ(got, large);
    EXPECT_EQ(all.receive(got, all.rank()), 0);

    std::ranges::fill(got, 0);
    Request receive = all.start().receive(got, all.rank(), Tag{4});
    all.start().send(large, all.rank(), Tag{4}).wait();
    receive.wait();
    EXPECT_EQ(receive.received(), 1'000'000);
    EXPECT_EQ(got, large);
    EXPECT_EQ(all.exchange(large, all.rank(), got, all.rank()), 1'000'000);
  });
}

TEST_P(Channels, Case55EmptyMessagesCompleteInOrder) {
  everywhere(2, [](const Group& all) {
    for (int i = 0; i < 100; ++i) {
      if (all.rank() == 0) {
        all.send(Bytes{}, 1);
        all.send(i, 1);
      } else {
        Bytes nothing;
        EXPECT_EQ(all.receive(nothing, 0), 0);
        ASSERT_EQ(all.receive<int>(0), i);
      }
    }
  });
}

TEST_P(Channels, Case58ATooLongMessageIsAnErrorAndLaterOnesAreIntact) {
  everywhere(2, [](const Group& all) {
    for (const std::size_t size : {std::size_t{100}, std::size_t{1'000'000}}) {
      for (const bool early : {true, false}) {
        if (all.rank() == 0) {
          all.send(pattern(size, 1), 1);
          all.send(pattern(size, 2), 1);
          all.sync();
        } else {
          Bytes small(size - 1), right(size);
          std::vector<Request> requests;
          if (early) {
            requests.push_back(all.start().receive(small, 0));
            requests.push_back(all.start().receive(right, 0));
          }
          try {
            early ? requests[0].wait() : static_cast<void>(all.receive(small, 0));
            ADD_FAILURE() << "no error";
          } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::truncated) << error.what();
            EXPECT_EQ(error.pid(), 0);
            EXPECT_EQ(error.rank(), 0);
            EXPECT_EQ(error.host(), "host0");
            EXPECT_EQ(error.operation(), Operation::receive);
            EXPECT_EQ(error.group(), all.id());
            EXPECT_EQ(error.where().rfind("channels_test.cpp:", 0), 0) << error.where();
          }
          early ? requests[1].wait() : static_cast<void>(all.receive(right, 0));
          EXPECT_EQ(right, pattern(size, 2));
          all.sync();
        }
      }
    }
  });
}

TEST_P(Channels, AnExchangeWithATooSmallBufferStillSends) {
  everywhere(2, [](const Group& all) {
    const Bytes mine = pattern(1'000'000, static_cast<unsigned>(all.rank()));
    Bytes theirs(all.rank() == 0 ? 10 : mine.size());
    if (all.rank() == 0) {
      EXPECT_THROW(all.exchange(mine, 1, theirs, 1), Error);
    } else {
      EXPECT_EQ(all.exchange(mine, 0, theirs, 0), static_cast<Count>(mine.size()));
      EXPECT_EQ(theirs, pattern(1'000'000, 0));
    }
    all.sync();
  });
}

TEST_P(Channels, AMovedRequestKeepsWhatItReceived) {
  everywhere(1, [](const Group& all) {
    all.send(pattern(7, 1), 0);
    Bytes got(10);
    Request first = all.start().receive(got, 0), second;
    first.wait();
    second = std::move(first);
    EXPECT_EQ(second.received(), 7);
  });
}

TEST_P(Channels, Case59TenThousandOutstandingTags) {
  everywhere(2, [](const Group& all) {
    constexpr std::uint32_t many = 10'000;
    std::vector<std::uint64_t> values(many);
    std::vector<Request> requests;
    if (all.rank() == 0) {
      for (std::uint32_t tag = 0; tag < many; ++tag) values[tag] = tag * 3ull;
      for (std::uint32_t tag = 0; tag < many; ++tag) requests.push_back(all.start().send(values[tag], 1, Tag{tag}));
    } else {
      for (std::uint32_t tag = many; tag-- > 0;) requests.push_back(all.start().receive(values[tag], 0, Tag{tag}));
    }
    wait_all(requests);
    for (std::uint32_t tag = 0; tag < many; ++tag) ASSERT_EQ(values[tag], tag * 3ull);
  });
}

TEST_P(Channels, WaitAnyFindsTheOneThatIsComplete) {
  everywhere(3, [](const Group& all) {
    if (all.rank() == 0) {
      int from_1 = 0, from_2 = 0;
      std::vector<Request> requests;
      requests.push_back(all.start().receive(std::span(&from_1, 1), 1));
      requests.push_back(all.start().receive(std::span(&from_2, 1), 2));
      EXPECT_EQ(wait_any(requests), 1u);  // rank 1 sends only when it hears that
      EXPECT_EQ(from_2, 22);
      EXPECT_FALSE(requests[0].test());
      all.send(0, 1);
      EXPECT_EQ(wait_any(requests), 0u);  // each is found once
      EXPECT_EQ(from_1, 11);
      EXPECT_EQ(wait_any(requests), requests.size());
    } else if (all.rank() == 1) {
      all.receive<int>(0);
      all.send(11, 0);
    } else {
      all.send(22, 0);
    }
  });
}

TEST_P(Channels, UsersMessagesAndCollectivesNeverMeet) {
  everywhere(4, [](const Group& all) {
    const Rank right = (all.rank() + 1) % all.size(), left = (all.rank() + all.size() - 1) % all.size();
    for (int round = 0; round < 50; ++round) {
      int got = -1;
      Request receive = all.start().receive(std::span(&got, 1), left);
      Request send = all.start().send(std::span(&round, 1), right);
      EXPECT_EQ(all.combine(1, sum), all.size());
      send.wait();
      receive.wait();
      ASSERT_EQ(got, round);
    }
  });
}

TEST_P(Channels, PersistentMessages) {
  everywhere(2, [](const Group& all) {
    int value = 0;
    Persistent call =
        all.rank() == 0 ? all.prepare().send(std::span(&value, 1), 1) : all.prepare().receive(std::span(&value, 1), 0);
    for (int round = 0; round < 20; ++round) {
      if (all.rank() == 0) value = round;
      Request request = call.start();
      EXPECT_THROW(static_cast<void>(call.start()), Error);
      request.wait();
      ASSERT_EQ(value, round);
    }
  });
}

std::size_t open_sockets() {
  std::size_t sockets = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    sockets += std::filesystem::read_symlink(entry, gone).string().starts_with("socket:");
  }
  return sockets;
}

// A job of p processes does not need p * p connections.
TEST(Connections, AreMadeOnFirstUseOneForAPair) {
  constexpr Pid ranks = 8;
  const std::size_t before = open_sockets();
  run_all({Kind::tcp, ranks, false, {}}, [&](const Group& all) {
    const Rank right = (all.rank() + 1) % ranks, left = (all.rank() + ranks - 1) % ranks;
    std::size_t at_rest = 0;
    for (int round = 0; round < 3 * ranks; ++round) {  // a token has passed everybody when the rounds are over
      int token = 0;
      all.exchange(std::span(&round, 1), right, std::span(&token, 1), left);
      if (round == 3 * ranks - 1 && all.rank() == 0) at_rest = open_sockets();
    }
    if (all.rank() == 0) {
      EXPECT_EQ(at_rest - before, ranks + 2 * ranks) << "a listener each, and a ring of connections with two ends";
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Everywhere, Channels, ::testing::ValuesIn(every_kind),
                         [](const auto& info) { return to_string(info.param); });

}  // namespace
}  // namespace cohort::testing
