// SPDX-License-Identifier: Apache-2.0
// The time of a message above the transport: its header, matching, and the whole way from one messenger to another
// through memory.
#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "runtime/messages/messenger.hpp"
#include "runtime/transport/memory/memory_transport.hpp"
#include "runtime/transport/tcp/handshake.hpp"
#include "runtime/transport/tcp/headers.hpp"

namespace {

using namespace cohort;
using benchmark::State;

FrameHeader usual_header() {
  FrameHeader header;
  header.group = {3, 7, 0};
  header.tag = 42;
  header.length = header.payload = 8;
  header.kind = FrameKind::message;
  return header;
}

void encode_header(State& state) {
  const FrameHeader header = usual_header();
  WireHeader wire;
  for (auto _ : state) {
    encode(header, wire);
    benchmark::DoNotOptimize(wire);
  }
}
BENCHMARK(encode_header);

void decode_header(State& state) {
  WireHeader wire;
  encode(usual_header(), wire);
  for (auto _ : state) {
    benchmark::DoNotOptimize(wire);
    benchmark::DoNotOptimize(decode(wire));
  }
}
BENCHMARK(decode_header);

// As a connection does it: of each header only the difference from the one before.
void write_and_read_header(State& state) {
  FrameHeader header = usual_header();
  HeaderWriter writer;
  HeaderReader reader;
  TravellingHeader wire;
  for (auto _ : state) {
    ++header.tag;
    writer.write(header, wire);
    benchmark::DoNotOptimize(wire);
    benchmark::DoNotOptimize(reader.read(ConstBytes(wire).first(travelling_size(wire))));
  }
}
BENCHMARK(write_and_read_header);

// The computation of both sides for a mutual challenge, random numbers included: before two processes' first message.
void greeting(State& state) {
  Endpoints dialer;
  dialer.processes = {{"a", "127.0.0.1", 1, 11}, {"b", "127.0.0.1", 2, 22}};
  Endpoints acceptor = dialer;
  acceptor.me = 1;
  for (auto _ : state) {
    const handshake::Hello hello = handshake::make_hello(dialer, 1, handshake::fresh_nonce());
    const bool known = handshake::check_hello(acceptor, hello).complaint.empty();
    const handshake::Challenge challenge = handshake::make_challenge(acceptor, handshake::fresh_nonce());
    const bool right = handshake::check_challenge(dialer, 1, challenge).empty();
    const handshake::Proof proof = handshake::make_proof(dialer, hello, challenge);
    const bool proven = handshake::check_proof(acceptor, hello, challenge, proof);
    const handshake::Answer answer = handshake::make_answer(acceptor, hello, challenge, handshake::Verdict::accepted);
    if (!known || !right || !proven || !handshake::check_answer(dialer, hello, challenge, answer)) {
      state.SkipWithError("refused");
    }
  }
}
BENCHMARK(greeting);

struct Entry {
  Envelope envelope;
  Entry* next_match = nullptr;
};

// A push and the pop of the same envelope, with so many others in the table.
void match(State& state) {
  std::vector<Entry> others(static_cast<std::size_t>(state.range(0)));
  MatchTable<Entry> table;
  for (std::size_t i = 0; i < others.size(); ++i) {
    others[i].envelope = {GroupId{1, 2, 0}, i, Channel::user};
    table.push(others[i]);
  }
  Entry entry;
  entry.envelope = {GroupId{1, 2, 0}, 1'000'000, Channel::user};
  for (auto _ : state) {
    table.push(entry);
    benchmark::DoNotOptimize(table.pop(entry.envelope));
  }
}
BENCHMARK(match)->Arg(0)->Arg(16)->Arg(1'024)->Arg(100'000);

// Two processes in one thread.
class Pair : private TransferOwner {
 public:
  Pair() {
    const Messenger::Listener deaf{[](Pid, const std::string&) {}, [](Pid, const frames::Control&) {}};
    for (Pid pid = 0; pid < 2; ++pid)
      messengers_.push_back(std::make_unique<Messenger>(*transports_[static_cast<std::size_t>(pid)], pid, 2, deaf,
                                                        Messenger::window_for(2)));
  }

  void start(SendTransfer& send) {
    prepare(send, 1);
    messengers_[0]->start(send);
  }
  void start(ReceiveTransfer& receive) {
    prepare(receive, 0);
    messengers_[1]->start(receive);
  }
  void settle() {
    while (pending_ > 0) {
      for (std::size_t pid = 0; pid < 2; ++pid) {
        transports_[pid]->poll(-1);
        messengers_[pid]->dispatch();
      }
    }
  }

 private:
  void prepare(Transfer& transfer, Pid peer) {
    transfer.peer = peer;
    transfer.envelope = {GroupId{1, 0, 0}, 5, Channel::user};
    transfer.owner = this;
    ++pending_;
  }
  void transfer_ended(Transfer&) override { --pending_; }

  std::vector<std::unique_ptr<Transport>> transports_ = make_memory_transports(2);
  std::vector<std::unique_ptr<Messenger>> messengers_;
  int pending_ = 0;
};

void pass(State& state, bool expected) {
  Pair pair;
  std::vector<std::byte> from(static_cast<std::size_t>(state.range(0))), to(from.size());
  SendTransfer send;
  ReceiveTransfer receive;
  send.data = {ConstPiece{from.data(), from.size()}};
  receive.memory = {Piece{to.data(), to.size()}};
  for (auto _ : state) {
    if (expected) pair.start(receive);
    pair.start(send);
    if (!expected) pair.start(receive);
    pair.settle();
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK_CAPTURE(pass, expected, true)->Arg(8)->Arg(4'096)->Arg(1 << 20);
BENCHMARK_CAPTURE(pass, unexpected, false)->Arg(8)->Arg(4'096)->Arg(1 << 20);

}  // namespace

BENCHMARK_MAIN();
