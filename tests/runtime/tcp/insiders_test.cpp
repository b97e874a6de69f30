// SPDX-License-Identifier: Apache-2.0
// Someone who has the job's secret, or is a process of the job that has gone mad, in front of a whole runtime: cases 36
// and 37 of the list of faults. Whatever comes is an error with a name, and nothing is allocated because of a number.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <future>

#include "cohort/cohort.hpp"
#include "runtime/runtime.hpp"
#include "tests/runtime/tcp/live_transport.hpp"
#include "tests/runtime/tcp/raw_peer.hpp"

namespace cohort {
namespace {

std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t total = 0, resident = 0;
  file >> total >> resident;
  return resident * 4096;
}

std::vector<std::byte> wire(const FrameHeader& header) {
  const TravellingHeader bytes = whole_header(header);
  return {bytes.begin(), bytes.end()};
}

// Pid 0 receives 8 bytes from pid 1, which is the test's.
class Insiders : public ::testing::Test {
 protected:
  std::string error_of_receive() {
    try {
      std::uint64_t value = 0;
      value = self.all().receive<std::uint64_t>(1);
      return "got " + std::to_string(value);
    } catch (const Error& error) {
      return error.what();
    }
  }

  // What the receive ends with when these bytes have come.
  std::string after(const std::vector<std::byte>& bytes) {
    std::future<std::string> end = std::async(std::launch::async, [this] { return error_of_receive(); });
    EXPECT_EQ(peer.greet(job.job_of(1), 0), handshake::Verdict::accepted);
    const std::size_t before = resident_bytes();
    peer.write(bytes);
    const std::string words = end.get();
    EXPECT_LT(resident_bytes(), before + (32u << 20));
    return words;
  }

  void expect_refused(const FrameHeader& header, const std::string& says) {
    const std::string words = after(wire(header));
    EXPECT_NE(words.find("pid 1"), std::string::npos) << words;
    EXPECT_NE(words.find(says), std::string::npos) << words;
  }

  LocalJob job{3};
  std::shared_ptr<detail::Runtime> runtime = std::make_shared<detail::Runtime>(
      job.job_of(0), make_tcp_transport(job.job_of(0), std::move(job.listeners[0])), nullptr);
  Process self{runtime};
  RawPeer peer = RawPeer::connect_to(job.port(0));
};

FrameHeader message(std::uint64_t length, std::uint32_t payload) {
  FrameHeader header;
  header.kind = FrameKind::message;
  header.length = length;
  header.payload = payload;
  header.transfer = payload < length ? 1 : 0;
  return header;
}

TEST_F(Insiders, Case37ALengthOfTwoToThe63) { expect_refused(message(std::uint64_t{1} << 63, 0), "makes no sense"); }

TEST_F(Insiders, Case37APayloadOfFourGigabytes) { expect_refused(message(0xffffffff, 0xffffffff), "makes no sense"); }

TEST_F(Insiders, Case37APayloadLongerThanItsMessage) { expect_refused(message(8, 9), "makes no sense"); }

TEST_F(Insiders, Case37AFrameOfAnUnknownKind) {
  FrameHeader header = message(8, 8);
  header.kind = static_cast<FrameKind>(200);
  expect_refused(header, "damaged frame header");
}

TEST_F(Insiders, Case37AnUnknownChannelOrOperation) {
  FrameHeader header = message(8, 8);
  header.channel = static_cast<Channel>(99);
  expect_refused(header, "damaged frame header");
}

TEST_F(Insiders, Case37DataOfAMessageThatThereIsNot) {
  FrameHeader header = message(8, 8);
  header.kind = FrameKind::data;
  header.transfer = 77;
  expect_refused(header, "makes no sense");
}

TEST_F(Insiders, Case37CreditOutOfThinAir) {
  FrameHeader header;
  header.credit = 0xffffffff;
  expect_refused(header, "makes no sense");
}

// Each of these fits, and waits; together they are more than their sender was given.
TEST_F(Insiders, Case37MoreThanItsCredit) {
  FrameHeader header = message(1 << 20, 1 << 20);
  header.group = {77, 2, 5};
  std::vector<std::byte> bytes;
  for (int i = 0; i < 5; ++i) {
    const std::vector<std::byte> one = wire(header);
    bytes.insert(bytes.end(), one.begin(), one.end());
    bytes.resize(bytes.size() + (1 << 20));
  }
  const std::string words = after(bytes);
  EXPECT_NE(words.find("makes no sense"), std::string::npos) << words;
}

TEST_F(Insiders, Case37WordsWithoutEnd) {
  FrameHeader header;
  header.kind = FrameKind::failure;
  header.payload = 1u << 30;
  expect_refused(header, "makes no sense");
}

TEST_F(Insiders, Case37AFailureThatThereCannotBe) {
  FrameHeader header;
  header.kind = FrameKind::failure;
  header.tag = static_cast<std::uint64_t>(ErrorCode::internal) + 1;
  expect_refused(header, "makes no sense");
}

TEST_F(Insiders, Case37ADeathOfNoProcess) {
  FrameHeader header;
  header.kind = FrameKind::failure;
  header.transfer = 1000;  // in a job of fewer
  expect_refused(header, "makes no sense");
}

class NoSuchGroup : public Insiders, public ::testing::WithParamInterface<GroupId> {};

TEST_P(NoSuchGroup, Case37TheLinkFails) {
  FrameHeader header = message(3, 3);
  header.group = GetParam();
  expect_refused(header, "group " + to_string(GetParam()));
}

TEST_P(NoSuchGroup, Case37NobodyWaitsInIt) {
  FrameHeader header;
  header.kind = FrameKind::presence;
  header.group = GetParam();
  expect_refused(header, "group " + to_string(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(ByName, NoSuchGroup,
                         ::testing::Values(GroupId{77, 3, 0}, GroupId{77, 3, 5}, GroupId{77, -1, 0},
                                           GroupId{77, 0, 0},   // the receiver would have named it
                                           GroupId{0, 2, 0}));  // it is not that of all

// A group that others have made may be about to be known here, so its message waits, and is in nobody's way.
TEST_F(Insiders, Case37AMessageOfAnUnknownGroupWaits) {
  FrameHeader unknown = message(3, 3);
  unknown.group = {77, 2, 5};
  std::vector<std::byte> bytes = wire(unknown);
  bytes.resize(bytes.size() + 3);
  const std::vector<std::byte> wanted = wire(message(8, 8));
  bytes.insert(bytes.end(), wanted.begin(), wanted.end());
  bytes.resize(bytes.size() + 8);
  EXPECT_EQ(after(bytes), "got 0");
}

// It has the secret, and says that it is a process that there is not, or the one that it speaks to.
TEST_F(Insiders, Case36ARankOutOfRangeInAnAuthenticHandshake) {
  std::future<std::string> end = std::async(std::launch::async, [this] { return error_of_receive(); });
  for (const Pid pid : {3, 1 << 30, -1, 0}) {
    Job claim = job.job_of(1);
    claim.processes.assign(5, claim.processes[1]);
    handshake::Hello hello = handshake::make_hello(claim, 0, handshake::fresh_nonce());
    std::memcpy(hello.data() + 16, &pid, sizeof pid);
    RawPeer liar = RawPeer::connect_to(job.port(0));
    liar.write(hello);
    EXPECT_EQ(liar.read(1), "");
    EXPECT_TRUE(liar.is_closed_within(1000));
  }
  ASSERT_EQ(peer.greet(job.job_of(1), 0), handshake::Verdict::accepted);
  std::vector<std::byte> bytes = wire(message(8, 8));
  bytes.resize(bytes.size() + 8);
  peer.write(bytes);
  EXPECT_EQ(end.get(), "got 0");
}

}  // namespace
}  // namespace cohort
