// SPDX-License-Identifier: Apache-2.0
// Which message a receive meets, and which one a probe finds: against a model, with wildcards for source and tag.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <list>
#include <optional>
#include <random>

#include "runtime/calls/matched_message.hpp"
#include "tests/runtime/lone_messengers.hpp"
#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

constexpr Pid any_source = Transfer::any_peer;
constexpr std::uint64_t any_tag = Transfer::any_tag;

struct Wanted {
  Pid source;
  std::uint64_t tag;
  int receive;  // its number

  bool takes(Pid from, std::uint64_t with) const {
    return (source == any_source || source == from) && (tag == any_tag || tag == with);
  }
};

struct Message {
  Pid from;
  std::uint64_t tag;
  int number;
};

// MPI's rules: a message meets the oldest receive that takes it; a receive meets the oldest message that it takes.
class Model {
 public:
  explicit Model(std::size_t receives) : met(receives, -1) {}

  void arrives(const Message& message) {
    const auto receive =
        std::ranges::find_if(posted_, [&](const Wanted& wanted) { return wanted.takes(message.from, message.tag); });
    if (receive == posted_.end()) return early_.push_back(message);
    met[static_cast<std::size_t>(receive->receive)] = message.number;
    posted_.erase(receive);
  }
  void posts(const Wanted& wanted) {
    const std::optional<Message> message = takes(wanted);
    if (!message) return posted_.push_back(wanted);
    met[static_cast<std::size_t>(wanted.receive)] = message->number;
  }
  const Message* finds(const Wanted& wanted) const {
    const auto found =
        std::ranges::find_if(early_, [&](const Message& message) { return wanted.takes(message.from, message.tag); });
    return found != early_.end() ? &*found : nullptr;
  }
  std::optional<Message> takes(const Wanted& wanted) {
    const Message* const found = finds(wanted);
    if (found == nullptr) return std::nullopt;
    const Message message = *found;
    early_.remove_if([&](const Message& other) { return other.number == message.number; });
    return message;
  }
  void cancels(int receive) {
    posted_.remove_if([&](const Wanted& wanted) { return wanted.receive == receive; });
  }

  std::vector<int> met;  // the message of each receive, or -1

 private:
  std::list<Message> early_;
  std::list<Wanted> posted_;
};

// A message begins with its number.
std::size_t size_of(int number) { return sizeof number + static_cast<std::size_t>(number % 5 == 0 ? 400'000 : number); }

int number_in(const std::vector<std::byte>& bytes) {
  int number = 0;
  std::memcpy(&number, bytes.data(), sizeof number);
  return number;
}

TEST(Matching, FollowsTheModelForAnyOrderOfEvents) {
  constexpr Pid senders = 3;  // and the receiver itself, pid 0
  constexpr int events = 300;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned limit) { return random() % limit; };
    Processes job(senders + 1, 300'000);
    Model model(events);
    std::deque<Sending> sends;
    std::deque<Receiving> receives;
    std::vector<int> taken;  // numbers of receives that probes have taken messages for
    const auto start_receive = [&](Pid source, std::uint64_t tag, Channel channel) {
      Receiving& receive = receives.emplace_back(source, tag, size_of(5));
      receive.transfer.envelope.channel = channel;
      job.at(0).start(receive.transfer);
    };
    for (int event = 0; event < events; ++event) {
      const Wanted wanted{below(3) == 0 ? any_source : static_cast<Pid>(below(senders + 1)),
                          below(3) == 0 ? any_tag : below(3), static_cast<int>(receives.size())};
      const Envelope envelope{GroupId{}, wanted.tag, Channel::user};
      switch (below(5)) {
        case 0:
        case 1: {
          const auto from = static_cast<Pid>(below(senders + 1));
          const int number = static_cast<int>(sends.size());
          Sending& send = sends.emplace_back(0, below(3), size_of(number), 0);
          send.transfer.on_request = below(4) == 0;
          std::memcpy(send.bytes.data(), &number, sizeof number);
          job.at(from).start(send.transfer);
          model.arrives({from, send.transfer.envelope.tag, number});
          break;
        }
        case 2:
          start_receive(wanted.source, wanted.tag, Channel::user);
          model.posts(wanted);
          break;
        case 3: {
          const auto found = job.at(0).find(wanted.source, envelope);
          const Message* const expected = model.finds(wanted);
          ASSERT_EQ(found.has_value(), expected != nullptr) << "seed " << seed << " event " << event;
          if (!found) break;
          ASSERT_EQ(found->from, expected->from);
          ASSERT_EQ(found->tag, expected->tag);
          ASSERT_EQ(found->length, size_of(expected->number));
          if (below(2) == 0) break;
          const std::uint64_t number = job.at(0).take(*found, envelope);
          model.met[static_cast<std::size_t>(wanted.receive)] = model.takes(wanted)->number;
          start_receive(found->from, number, Channel::taken);
          break;
        }
        default:
          if (!receives.empty() && below(4) == 0) {
            const auto which = below(static_cast<unsigned>(receives.size()));
            ReceiveTransfer& receive = receives[which].transfer;
            if (receive.standing() && job.at(0).cancel(receive)) model.cancels(static_cast<int>(which));
          }
      }
      job.settle();
    }
    for (std::size_t i = 0; i < receives.size(); ++i) {
      ASSERT_EQ(receives[i].ended, model.met[i] >= 0 ? 1 : 0) << "seed " << seed << " receive " << i;
      if (model.met[i] < 0) continue;
      ASSERT_EQ(number_in(receives[i].bytes), model.met[i]) << "seed " << seed << " receive " << i;
    }
  }
}

class Probes : public ::testing::TestWithParam<Kind> {};

detail::Letter letter_from(Rank source, std::optional<std::uint32_t> tag, std::span<int> memory = {}) {
  detail::Letter letter;
  letter.operation = source < 0 ? Operation::receive_any : Operation::receive;
  letter.peer = std::max(source, 0);
  letter.tag = tag.value_or(0);
  letter.any_tag = !tag;
  letter.memory = detail::memory_of(memory);
  letter.element_bytes = sizeof(int);
  letter.as = "a probe";
  return letter;
}

// Rank 0 asks for each message by a probe first, and receives it by what the probe has found.
TEST_P(Probes, FindTheMessageThatTheReceiveTakes) {
  run_all({GetParam(), 4}, [](const Group& all) {
    constexpr int many = 40;
    if (all.rank() != 0) {
      for (int i = 0; i < many; ++i) {
        const std::vector<int> data(static_cast<std::size_t>(i % 8 == 0 ? 100'000 : i), all.rank() * 1000 + i);
        all.send(data, 0, static_cast<Tag>(i % 3));
      }
      return all.sync();
    }
    const auto& state = detail::state_of(all);
    std::vector<int> next(4 * 3, 0);  // by source and tag
    for (int i = 0; i < 3 * many; ++i) {
      const detail::Received found = detail::wait_for_message(state, letter_from(-1, {}));
      ASSERT_TRUE(detail::probe(state, letter_from(found.source, found.tag)));
      std::vector<int> data(static_cast<std::size_t>(found.count) / sizeof(int));
      if (i % 2 == 0) {
        ASSERT_EQ(all.receive(data, found.source, Tag{found.tag}), static_cast<Count>(data.size()));
      } else {
        detail::MatchedMessage message = detail::wait_and_take(state, letter_from(found.source, found.tag));
        ASSERT_EQ(message.bytes(), found.count);
        Request request = detail::start(state, std::move(message), letter_from(found.source, found.tag, data));
        request.wait();
        ASSERT_EQ(request.tag(), Tag{found.tag});
        ASSERT_EQ(request.source(), found.source);
      }
      int& which = next[static_cast<std::size_t>(found.source) * 3 + found.tag];
      const int number = 3 * which + static_cast<int>(found.tag);
      ASSERT_EQ(data, std::vector<int>(static_cast<std::size_t>(number % 8 == 0 ? 100'000 : number),
                                       found.source * 1000 + number));
      ++which;
    }
    EXPECT_FALSE(detail::probe(state, letter_from(-1, {})));
    all.sync();
  });
}

TEST_P(Probes, AReceiveOfAnyTagTellsTheTag) {
  run_all({GetParam(), 2}, [](const Group& all) {
    const auto& state = detail::state_of(all);
    if (all.rank() == 1) {
      for (const std::uint32_t tag : {7u, 0u, 4'000'000'000u}) all.send(static_cast<int>(tag % 1000), 0, Tag{tag});
      return all.sync();
    }
    for (const std::uint32_t tag : {7u, 0u, 4'000'000'000u}) {
      int value = -1;
      const detail::Letter letter = letter_from(tag == 0 ? -1 : 1, {}, {&value, 1});
      const detail::Received received = detail::run(state, nullptr, &letter);
      EXPECT_EQ(received.tag, tag);
      EXPECT_EQ(received.source, 1);
      EXPECT_EQ(value, static_cast<int>(tag % 1000));
    }
    all.sync();
  });
}

TEST_P(Probes, AReceiveIsCancelledUnlessItHasMetItsMessage) {
  run_all({GetParam(), 2}, [](const Group& all) {
    if (all.rank() == 1) {
      all.send(1, 0, Tag{1});
      all.send(4, 0, Tag{4});
      all.receive<int>(0, Tag{3});
      all.send(2, 0, Tag{2});
      return all.sync();
    }
    int first = 0, second = 0;
    Request met = all.start().receive(std::span(&first, 1), 1, Tag{1}),
            open = all.start().receive(std::span(&second, 1), 1, Tag{2});
    EXPECT_EQ(all.receive<int>(1, Tag{4}), 4);  // behind the first
    EXPECT_FALSE(met.cancel());
    EXPECT_TRUE(open.cancel());
    EXPECT_TRUE(open.test());
    met.wait();
    EXPECT_EQ(first, 1);
    all.send(3, 1, Tag{3});
    EXPECT_EQ(all.receive<int>(1, Tag{2}), 2);
    EXPECT_EQ(second, 0);
    all.sync();
  });
}

// A synchronous send ends when its receive has been called, also if it goes to oneself.
TEST_P(Probes, SynchronousSendsWaitForTheirReceives) {
  run_all({GetParam(), 2}, [](const Group& all) {
    const auto& state = detail::state_of(all);
    for (const Rank to : {all.rank(), 1 - all.rank()}) {
      int value = 10 + all.rank();
      detail::Letter letter = letter_from(to, 5, {&value, 1});
      letter.operation = Operation::send;
      letter.synchronous = true;
      Request sent = detail::start(state, &letter, nullptr);
      all.sync();
      EXPECT_FALSE(sent.test());
      all.sync();
      EXPECT_EQ(all.receive<int>(to, Tag{5}), 10 + to);
      sent.wait();
    }
  });
}

// Memory in pieces, of different lengths at the two ends.
TEST_P(Probes, MessagesGoFromPiecesToPieces) {
  run_all({GetParam(), 2}, [](const Group& all) {
    const auto& state = detail::state_of(all);
    for (const std::size_t size : {std::size_t{6}, std::size_t{600}, std::size_t{300'000}}) {
      std::vector<int> matrix(size * 2, -1);
      std::vector<detail::Memory> pieces;
      const std::size_t piece = all.rank() == 0 ? size / 6 : size / 3;
      for (std::size_t i = 0; i < size; i += piece)
        pieces.push_back(detail::memory_of(std::span(matrix).subspan(2 * i, piece)));
      detail::Letter letter = letter_from(1 - all.rank(), 1);
      letter.pieces = pieces;
      const auto place = [&](std::size_t i) { return 2 * (i / piece * piece) + i % piece; };
      if (all.rank() == 0) {
        for (std::size_t i = 0; i < size; ++i) matrix[place(i)] = static_cast<int>(i);
        letter.operation = Operation::send;
        detail::run(state, &letter, nullptr);
      } else {
        EXPECT_EQ(detail::run(state, nullptr, &letter).count, static_cast<Count>(size));
        for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(matrix[place(i)], static_cast<int>(i));
        EXPECT_EQ(std::ranges::count(matrix, -1), static_cast<std::ptrdiff_t>(size));
      }
    }
    all.sync();
  });
}

INSTANTIATE_TEST_SUITE_P(Transports, Probes, ::testing::ValuesIn(every_kind),
                         [](const auto& kind) { return to_string(kind.param); });

}  // namespace
}  // namespace cohort::testing
