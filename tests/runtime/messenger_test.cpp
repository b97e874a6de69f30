// SPDX-License-Identifier: Apache-2.0
// Matching, credit and giving up, with all processes in one thread: every interleaving is chosen by the test.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <random>

#include "runtime/failures/failure_frame.hpp"
#include "runtime/messages/messenger.hpp"
#include "tests/runtime/lone_messengers.hpp"
#include "tests/support/silent_transport.hpp"

namespace cohort::testing {
namespace {

const std::size_t longer_than_credit = Messenger::window_for(2) * 2;

TEST(Messenger, Case60WhatAReceiverHoldsIsBoundedWhateverIsSent) {
  constexpr Pid processes = 5;
  const std::uint64_t window = Messenger::window_for(processes);
  Processes job(processes);
  std::deque<Sending> sends;
  for (int i = 0; i < 2000; ++i) {
    for (Pid from = 1; from < processes; ++from) {
      sends.emplace_back(0, static_cast<std::uint64_t>(i), static_cast<std::size_t>(i * 37 % 9000),
                         static_cast<std::uint8_t>(i + from));
      job.at(from).start(sends.back().transfer);
    }
    job.settle();
    ASSERT_LE(job.at(0).unexpected_bytes(), (processes - 1) * window);
  }
  EXPECT_GT(job.at(0).unexpected_bytes(), window);  // credit was used

  for (int i = 2000; i-- > 0;) {  // in the reverse order, so that most are pulled
    for (Pid from = 1; from < processes; ++from) {
      Receiving receive(from, static_cast<std::uint64_t>(i), 9000);
      job.at(0).start(receive.transfer);
      job.settle();
      ASSERT_EQ(receive.ended, 1);
      const auto size = static_cast<std::size_t>(i * 37 % 9000);
      ASSERT_EQ(receive.transfer.length, size);
      receive.bytes.resize(size);
      ASSERT_EQ(receive.bytes, std::vector<std::byte>(size, std::byte{static_cast<std::uint8_t>(i + from)}));
    }
  }
  EXPECT_EQ(job.at(0).unexpected_bytes(), 0u);
  for (const Sending& send : sends) ASSERT_EQ(send.ended, 1);
}

TEST(Messenger, WhatIsSentOnRequestLeavesWhenItsReceiverAsks) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{5000}, longer_than_credit}) {
    Processes job(2);
    Sending asked(0, 1, size, 11), unasked(0, 2, 100, 22);
    asked.transfer.on_request = true;
    job.at(1).start(asked.transfer);
    job.at(1).start(unasked.transfer);
    job.settle();
    EXPECT_EQ(job.at(0).unexpected_bytes(), 100u);  // and what is behind it does not wait
    EXPECT_EQ(asked.ended, 0);
    Receiving receive(1, 1, size);
    job.at(0).start(receive.transfer);
    job.settle();
    EXPECT_EQ(asked.ended, 1);
    EXPECT_EQ(receive.ended, 1);
    EXPECT_EQ(receive.bytes, asked.bytes);
  }
}

TEST(Messenger, WhatIsTakenAtOnceLeavesInFewFrames) {
  Processes job(2);
  const std::size_t length = 8 * longer_than_credit;
  Sending large(1, 1, length, 5);
  Receiving receive(0, 1, length);
  job.at(1).start(receive.transfer);
  job.at(0).start(large.transfer);
  job.settle();
  EXPECT_EQ(receive.bytes, large.bytes);
  job.at(0).each_traffic(
      [&](Pid, std::uint64_t sent, std::uint64_t) { EXPECT_LT(sent, length / Messenger::most_data + 5); });
}

// Credit that comes back while messages wait to be asked for is not spent on those behind them.
TEST(Messenger, NothingOfAStreamOvertakesWhatItsReceiverAsksFor) {
  const std::uint64_t window = Messenger::window_for(2);
  Processes job(2);
  Sending first(1, 1, window, 1), waits(1, 1, window / 2, 2), behind(1, 1, 10'000, 3), small(1, 1, 100, 4);
  Sending elsewhere(1, 2, 10'000, 5);
  job.at(0).start(first.transfer);
  job.at(0).start(waits.transfer);  // without credit
  job.settle();
  Receiving one(0, 1, window);
  job.at(1).start(one.transfer);
  job.settle();
  job.at(1).settle_credit();
  job.settle();
  ASSERT_EQ(one.ended, 1);
  const std::uint64_t had = job.at(1).unexpected_bytes();
  for (Sending* send : {&behind, &small, &elsewhere}) job.at(0).start(send->transfer);
  job.settle();
  EXPECT_EQ(job.at(1).unexpected_bytes(), had + 100 + 10'000);  // the small one, and the one with another tag
  for (Sending* send : {&waits, &behind, &small}) {
    Receiving receive(0, 1, send->bytes.size());
    job.at(1).start(receive.transfer);
    job.settle();
    EXPECT_EQ(receive.ended, 1);
    EXPECT_EQ(receive.bytes, send->bytes);
  }
  EXPECT_EQ(behind.ended, 1);
}

// The same for messages that need no transfer, because the transport takes them at once.
TEST(Messenger, OnlySmallMessagesLeaveAtOnceWhileOthersWaitToBeAskedFor) {
  class Taking : public SilentTransport, private SendsAtOnce {
    SendsAtOnce* sends_at_once(Pid) override { return this; }
    bool send_at_once(Pid, const FrameHeader&, std::span<const ConstPiece>) override { return true; }
  } transport;
  Messenger messenger(transport, 0, 2, {}, Messenger::window_for(2));
  const std::vector<std::byte> bytes(Messenger::most_at_once + 1);
  const auto leaves = [&](std::size_t size) {
    const ConstPiece data{bytes.data(), size};
    return messenger.send_at_once(1, {GroupId{}, 1, Channel::user}, {}, {&data, 1});
  };
  EXPECT_TRUE(leaves(Messenger::most_at_once));
  EXPECT_FALSE(leaves(Messenger::most_at_once + 1));
  Sending waits(1, 1, longer_than_credit, 1);
  messenger.start(waits.transfer);
  EXPECT_FALSE(leaves(2000));
  EXPECT_TRUE(leaves(1000));
  messenger.cancel(waits.transfer);
  EXPECT_TRUE(leaves(2000));
}

TEST(Messenger, CreditGoesBackWithTheAnswerOrWhenThereIsNothingElseToDo) {
  const std::uint64_t window = Messenger::window_for(2);
  enum class Then { nothing, an_answer, settling };
  for (const Then then : {Then::nothing, Then::an_answer, Then::settling}) {
    Processes job(2);
    Sending first(1, 1, window / 2, 1);
    Receiving received(0, 1, window / 2);
    job.at(1).start(received.transfer);
    job.at(0).start(first.transfer);
    job.settle();
    ASSERT_EQ(received.ended, 1);
    Sending answer(0, 2, 1, 2);
    if (then == Then::an_answer) job.at(1).start(answer.transfer);
    if (then == Then::settling) job.at(1).settle_credit();
    job.settle();

    const std::uint64_t large = window / 4 * 3;
    Sending second(1, 3, large, 3);
    job.at(0).start(second.transfer);
    job.settle();
    if (then == Then::nothing) {
      EXPECT_LT(job.at(1).unexpected_bytes(), large);
    } else {
      EXPECT_EQ(job.at(1).unexpected_bytes(), large);
    }
    job.at(0).cancel(second.transfer);
    job.settle();
  }
}

TEST(Messenger, TheWindowShrinksWithTheJobSoThatAllTogetherAreBounded) {
  for (const Pid processes : {1, 2, 64, 256, 1000, 10'000}) {
    EXPECT_LE(Messenger::window_for(processes) * static_cast<std::uint64_t>(processes), 64u * 1024 * 1024) << processes;
  }
}

// Frames that it has not got rid of, until the link is lost.
class StuckTransport final : public testing::SilentTransport {
 public:
  void attach(FrameHandler& handler) override { handler_ = &handler; }
  bool send(Pid, OutgoingFrame& frame) override {
    queue_.push_back(&frame);
    return false;
  }
  void lose(Pid peer) {
    queue_.clear();
    handler_->peer_lost(peer, "reset");
  }
  bool holds(const OutgoingFrame& frame) const { return std::ranges::find(queue_, &frame) != queue_.end(); }

 private:
  void replace(Pid, OutgoingFrame& frame, OutgoingFrame& copy) override {
    const auto place = std::ranges::find(queue_, &frame);
    ASSERT_NE(place, queue_.end());
    *place = &copy;
  }

  FrameHandler* handler_ = nullptr;
  std::vector<OutgoingFrame*> queue_;
};

// An operation may fail for another's death between the loss of a link and the news of whose fault that was.
TEST(Messenger, AFrameIsGivenUpOnALinkThatIsOrIsNotLost) {
  for (const bool lost : {false, true}) {
    StuckTransport transport;
    Messenger messenger(transport, 0, 2,
                        Messenger::Listener{[](Pid, const std::string&) {}, [](Pid, const frames::Control&) {}},
                        Messenger::window_for(2));
    Sending first(1, 1, 100, 1), second(1, 2, 100, 2);
    messenger.start(first.transfer);
    messenger.start(second.transfer);
    if (lost) transport.lose(1);
    EXPECT_TRUE(messenger.cancel(first.transfer));
    EXPECT_FALSE(transport.holds(first.transfer.frame));
    messenger.fail_peer(1, std::make_shared<const Fault>(Fault{ErrorCode::peer_lost, "dead"}));
    messenger.dispatch();
    EXPECT_EQ(first.ended, 0);
    EXPECT_EQ(second.ended, 1);
  }
}

// Random traffic against a model: each channel and tag is a queue.
TEST(Messenger, RandomTrafficMatchesAModel) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const auto up_to = [&](unsigned most) { return std::uniform_int_distribution<unsigned>(0, most)(random); };
    constexpr Pid processes = 3;
    Processes job(processes, 1 << 20);
    std::deque<Sending> sends;
    std::deque<Receiving> receives;
    using Key = std::tuple<Pid, Pid, std::uint64_t>;  // from, to, tag
    std::map<Key, std::deque<Sending*>> sent;
    std::map<Key, std::deque<std::pair<Pid, Receiving*>>> received;
    for (int step = 0; step < 600; ++step) {
      const Pid from = static_cast<Pid>(up_to(processes - 1)), to = static_cast<Pid>(up_to(processes - 1));
      const std::uint64_t tag = up_to(2);
      if (up_to(1) == 0) {
        sends.emplace_back(to, tag, up_to(3) == 0 ? up_to(700'000) : up_to(3000), static_cast<std::uint8_t>(step));
        job.at(from).start(sends.back().transfer);
        sent[{from, to, tag}].push_back(&sends.back());
      } else {
        receives.emplace_back(from, tag, 700'000);
        job.at(to).start(receives.back().transfer);
        received[{from, to, tag}].push_back({to, &receives.back()});
      }
      if (up_to(2) == 0) job.step(static_cast<Pid>(up_to(processes - 1)));
    }
    for (auto& [key, queue] : sent) {  // a receive for each message that has none
      while (received[key].size() < queue.size()) {
        receives.emplace_back(std::get<0>(key), std::get<2>(key), 700'000);
        job.at(std::get<1>(key)).start(receives.back().transfer);
        received[key].push_back({std::get<1>(key), &receives.back()});
      }
    }
    job.settle();
    for (auto& [key, queue] : received) {
      for (std::size_t i = 0; i < queue.size(); ++i) {
        Receiving& receive = *queue[i].second;
        if (i >= sent[key].size()) {
          ASSERT_EQ(receive.ended, 0);
          ASSERT_TRUE(job.at(queue[i].first).cancel(receive.transfer));
          continue;
        }
        ASSERT_EQ(receive.ended, 1);
        receive.bytes.resize(receive.transfer.length);
        ASSERT_EQ(receive.bytes, sent[key][i]->bytes);
        ASSERT_EQ(sent[key][i]->ended, 1);
      }
    }
  }
}

TEST(Messenger, AFailedPeerEndsWhatConcernsItAndNothingElse) {
  Processes job(3);
  const auto fault = std::make_shared<const Fault>(Fault{ErrorCode::peer_lost, "planned"});
  Sending held(1, 1, longer_than_credit, 1), early(1, 2, 10, 2);
  Receiving waiting(1, 3, 10), other(2, 3, 10);
  job.at(0).start(early.transfer);
  job.at(0).start(held.transfer);
  job.at(0).start(waiting.transfer);
  job.at(0).start(other.transfer);
  job.settle();
  EXPECT_EQ(early.ended, 1);
  EXPECT_EQ(held.ended, 0);

  // What arrived whole before the death can still be received.
  Sending last(0, 4, 10, 9), rest(0, 5, longer_than_credit, 9);
  job.at(1).start(last.transfer);
  job.at(1).start(rest.transfer);
  job.settle();
  job.at(0).fail_peer(1, fault);
  job.settle();
  EXPECT_EQ(held.ended, 1);
  EXPECT_EQ(held.transfer.fault, fault);
  EXPECT_EQ(waiting.transfer.fault, fault);
  EXPECT_EQ(other.ended, 0);

  Receiving complete(1, 4, 10), cut_off(1, 5, longer_than_credit), later(1, 6, 10);
  Sending too_late(1, 7, 10, 0);
  for (ReceiveTransfer* receive : {&complete.transfer, &cut_off.transfer, &later.transfer}) job.at(0).start(*receive);
  job.at(0).start(too_late.transfer);
  job.settle();
  EXPECT_EQ(complete.ended, 1);
  EXPECT_EQ(complete.transfer.fault, nullptr);
  EXPECT_EQ(cut_off.transfer.fault, fault);
  EXPECT_EQ(later.transfer.fault, fault);
  EXPECT_EQ(too_late.transfer.fault, fault);
  EXPECT_TRUE(job.at(0).cancel(other.transfer));
  EXPECT_EQ(job.at(0).unexpected_bytes(), 0u);
}

TEST(Messenger, AFailureIsToldWithAllThatBelongsToIt) {
  Processes job(4);
  const GroupId group{3, 1, 0};
  const auto record = std::make_shared<const Failure>(Failure{.number = 1, .pid = 2});
  const auto tell = [&](const frames::GroupFailure& told) { job.at(0).tell(1, {told.header(), told.cause}); };
  tell(frame_of(group, {ErrorCode::peer_lost, "is lost, and more", record}, 0, false));
  tell(frame_of(group, {ErrorCode::mismatch, "differs", nullptr, 3}, 0, true));
  job.settle();
  std::vector<ToldFailure> all;
  for (const auto& [from, frame] : job.heard)
    all.push_back(told_by(from, frames::GroupFailure::of(frame.header, frame.words), 4));
  ASSERT_EQ(all.size(), 2u);
  for (const ToldFailure& told : all) {
    EXPECT_EQ(told.from, 0);
    EXPECT_EQ(told.group, group);
  }
  EXPECT_EQ(all[0].dead, 2);
  EXPECT_EQ(all[0].fault->cause, "is lost, and more");
  EXPECT_FALSE(all[0].only_we_know);
  EXPECT_EQ(all[1].dead, std::nullopt);
  EXPECT_EQ(all[1].fault->code, ErrorCode::mismatch);
  EXPECT_EQ(all[1].fault->culprit, 3);
  EXPECT_TRUE(all[1].only_we_know);
}

TEST(Messenger, AReceiveThatIsGivenUpLeavesTheChannelUsable) {
  Processes job(2);
  Sending large(1, 1, longer_than_credit, 1), next(1, 1, longer_than_credit, 2);
  job.at(0).start(large.transfer);
  auto first = std::make_unique<Receiving>(0, 1, longer_than_credit);
  job.at(1).start(first->transfer);
  job.step(1);  // it has met the first part, and asked for the rest
  EXPECT_TRUE(job.at(1).cancel(first->transfer));
  first.reset();
  job.settle();
  EXPECT_EQ(large.ended, 1);
  job.at(0).start(next.transfer);
  Receiving second(0, 1, longer_than_credit);
  job.at(1).start(second.transfer);
  job.settle();
  EXPECT_EQ(second.bytes, next.bytes);
}

TEST(Messenger, MessagesThatAreDroppedMayArriveSideBySide) {
  Processes job(3);
  Receiving from_one(1, 7, 10), from_two(2, 7, 10);
  job.at(0).start(from_one.transfer);
  job.at(0).start(from_two.transfer);
  FrameHeader header;  // too long for its receive
  header.kind = FrameKind::message;
  header.tag = 7;
  header.length = header.payload = 100;
  Pieces first, second;
  ASSERT_TRUE(job.at(0).frame_begins(1, header, first));
  header.length = header.payload = 200'000;
  ASSERT_TRUE(job.at(0).frame_begins(2, header, second));
  for (const Piece& piece : first) std::memset(piece.data, 1, piece.size);  // must still be valid
  for (const Piece& piece : second) std::memset(piece.data, 2, piece.size);
  EXPECT_TRUE(job.at(0).discards(1) && job.at(0).discards(2));
  job.at(0).frame_ends(2, header);
  header.length = header.payload = 100;
  job.at(0).frame_ends(1, header);
  job.settle();
  for (const Receiving* receive : {&from_one, &from_two}) {
    ASSERT_EQ(receive->ended, 1);
    EXPECT_EQ(receive->transfer.fault->code, ErrorCode::truncated);
  }
}

TEST(Messenger, SaysWhichPayloadsNobodyWants) {
  constexpr GroupId ended_group{.counter = 5};
  constexpr GroupId living_group{.counter = 6};
  Processes job(2);
  FrameHeader header;
  header.kind = FrameKind::message;
  header.length = header.payload = 100;
  const auto is_discarded = [&](const GroupId& group) {
    Pieces landing;
    header.group = group;
    EXPECT_TRUE(job.at(0).frame_begins(1, header, landing));
    const bool result = job.at(0).discards(1);
    job.at(0).frame_ends(1, header);
    return result;
  };
  EXPECT_FALSE(is_discarded(ended_group));  // a receive may come for it
  job.at(0).drop_all_of(ended_group);
  EXPECT_TRUE(is_discarded(ended_group));
  EXPECT_FALSE(is_discarded(living_group));
}

}  // namespace
}  // namespace cohort::testing
