// SPDX-License-Identifier: Apache-2.0
// The messenger's view of one other process.
#pragma once

#include <utility>

#include "runtime/linked_list.hpp"
#include "runtime/messages/credit.hpp"
#include "runtime/messages/frames.hpp"
#include "runtime/messages/messenger.hpp"
#include "runtime/recycled_memory.hpp"

namespace cohort {

// A message that has arrived before its receive was posted.
struct Messenger::Unexpected {
  Envelope envelope;
  Unexpected* next_match = nullptr;
  frames::Message message;
  Pid from = -1;
  RecycledMemory bytes;
  std::uint64_t size = 0;
  std::uint64_t arrival = 0;  // its place in the order of arrivals
  bool complete = false;      // its eager part has arrived whole
  Origin origin;              // if it was noted
};

// A frame of the messenger itself, with the memory of its payload. It has no owner.
struct Messenger::OwnFrame : OutgoingFrame {
  std::string words;
  Pid to = -1;  // while the transport has it
};

struct Messenger::Peer {
  Peer(Pid which, std::uint64_t window) : pid(which), credit(window) {}
  Peer(const Peer&) = delete;
  ~Peer() {
    unexpected.for_each([](Unexpected& message) { delete &message; });
  }

  const Pid pid;
  SendsAtOnce* sender = nullptr;  // the transport's parts for this peer, or null
  TakesAtOnce* taker = nullptr;
  Credit credit;
  bool is_creditor = false;  // one of the messenger's creditors_
  std::int64_t sent = 0;     // users' messages
  Origin note;               // of the next message
  std::uint64_t frames_sent = 0;
  std::uint64_t frames_received = 0;
  FaultPointer fault;

  MatchTable<ReceiveTransfer> posted;
  MatchTable<Unexpected> unexpected;
  std::unordered_map<std::uint32_t, SendTransfer*> held;        // waiting to be pulled
  std::unordered_map<std::uint32_t, ReceiveTransfer*> awaited;  // whose rest was asked for; nullptr: cancelled
  std::uint32_t last_number = 0;
  LinkedList<SendTransfer> sends;  // the active ones

  // The destination of the frame that is arriving.
  struct {
    ReceiveTransfer* receive = nullptr;
    std::size_t size = 0;
    std::unique_ptr<Unexpected> taken_out;  // out of the table, because it was met or dropped while it arrives
    Unexpected* unexpected = nullptr;
    ReceiveTransfer* claimed_by = nullptr;  // the receive that met the unexpected message while it arrives
    bool is_discarded = false;              // nobody wants it
  } incoming;
  bool last_filled = false;  // the last message that met a user's receive filled its memory
  std::string words;         // arriving with a frame that carries words
};

}  // namespace cohort
