// SPDX-License-Identifier: Apache-2.0
// One message in flight, as one of its two ends sees it. A transfer lives in its owner, from start() to
// transfer_ended().
#pragma once

#include <memory>
#include <string>

#include "runtime/failures/fault.hpp"
#include "runtime/messages/match_table.hpp"
#include "runtime/transport/frame.hpp"

namespace cohort {

std::string to_string(const CallKind& call);  // "bcast with root 2"

// "pid 3 called sync where pid 0 called bcast with root 2"
std::string difference(const std::string& peer, const std::string& theirs, const std::string& me,
                       const std::string& mine);
// The same for calls that differ; with the types, if these differ.
std::string difference(const std::string& peer, const CallKind& theirs, const std::string& me, const CallKind& mine);

struct Transfer;

// In develop mode: where the sender of a channel's message sent it.
struct Origin {
  std::string where;             // the line of its call
  std::uint64_t sent_after = 0;  // the number of collectives of both ends, as Overlaps counts them
};

class TransferOwner {
 public:
  virtual ~TransferOwner() = default;
  // A receive has met a message that fits, and the sender has noted its origin.
  virtual void met(const Transfer&, const Origin&) {}
  // The transfer is complete or has failed (transfer.fault). It belongs to its owner again.
  virtual void transfer_ended(Transfer& transfer) = 0;
};

struct Transfer {
  // Of a receive, until it has met its message.
  static constexpr Pid any_peer = -1;
  static constexpr std::uint64_t any_tag = ~std::uint64_t{0};

  Pid peer = 0;
  Envelope envelope;
  CallKind call;
  TransferOwner* owner = nullptr;
  void* context = nullptr;  // the owner's

  std::uint64_t length = 0;  // bytes of the message; a receive knows it after it has met its message
  FaultPointer fault;
  Transfer* next_ended = nullptr;
};

struct SendTransfer : Transfer {
  SendTransfer() {}  // NOLINT: a defaulted one would first fill all of it with zeros, which takes longer than the rest

  ConstPieces data;
  bool on_request = false;  // no part of it leaves before its receiver has asked for it

  enum class Phase : std::uint8_t {
    idle,        // not started, or ended
    leaving,     // all of it is in the transport
    announcing,  // its first part is in the transport; the rest waits to be pulled
    announced,   // its first part has left; the rest waits to be pulled
    answered,    // its first part is in the transport; the receiver has asked for the rest
    following,   // a part of the rest is in the transport
    cut_off,     // the link is lost; the transfer ends when the reason is known
  };
  bool active() const { return phase != Phase::idle; }
  bool in_transport() const { return active() && phase != Phase::announced && phase != Phase::cut_off; }
  // Whether it makes no progress before its receiver posts a matching receive.
  bool standing() const { return phase == Phase::announced; }

  // For the messenger.
  Phase phase = Phase::idle;
  OutgoingFrame frame;
  std::uint64_t handed_over = 0;  // bytes given to the transport so far
  std::uint64_t next_data = 0;    // bytes of the rest that go with the next frame
  std::uint32_t number = 0;       // names a message that waits to be pulled; 0: all of it left eagerly

  SendTransfer* earlier = nullptr;  // in the list of active sends to this peer
  SendTransfer* later = nullptr;
};

struct ReceiveTransfer : Transfer {
  ReceiveTransfer() {}  // NOLINT: as for SendTransfer

  Pieces memory;
  std::uint64_t capacity = 0;
  bool exact = false;  // for collectives: the message must have this length, and belong to the same call

  enum class Phase : std::uint8_t {
    idle,      // not started, or ended
    posted,    // no message has arrived for it
    arriving,  // all of its message has arrived, or is arriving
    awaiting,  // it has asked for the rest of its message
  };
  bool active() const { return phase != Phase::idle; }
  // Whether it makes no progress before its sender sends a matching message.
  bool standing() const { return phase == Phase::posted; }

  // For the messenger.
  Phase phase = Phase::idle;
  std::uint64_t arrived = 0;
  std::uint64_t posted = 0;  // its place in the order of posted receives
  std::uint32_t number = 0;  // the sender's number of the message whose rest is awaited

  ReceiveTransfer* next_match = nullptr;
};

}  // namespace cohort
