// One message on its way, as seen by one of its two ends. Transfers live in their owner, from start() to
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
// The same of calls that differ; with the types where it is these.
std::string difference(const std::string& peer, const CallKind& theirs, const std::string& me, const CallKind& mine);

struct Transfer;

// What the sender of a channel's message says of it, in develop mode.
struct Origin {
  std::string where;             // the line of its call
  std::uint64_t sent_after = 0;  // so many collectives of both ends, as Overlaps counts them
};

class TransferOwner {
 public:
  virtual ~TransferOwner() = default;
  // A receive and a message fit, whose sender has said so much of it.
  virtual void met(const Transfer&, const Origin&) {}
  // The transfer is complete or has failed (transfer.fault). It is the owner's again.
  virtual void transfer_ended(Transfer& transfer) = 0;
};

struct Transfer {
  static constexpr Pid any_peer = -1;  // of a receive, until its message has come

  Pid peer = 0;
  Envelope envelope;
  CallKind call;
  TransferOwner* owner = nullptr;
  void* context = nullptr;  // the owner's

  std::uint64_t length = 0;  // bytes of the message; a receive knows it once it has met its message
  FaultPointer fault;
  Transfer* next_ended = nullptr;
};

struct SendTransfer : Transfer {
  SendTransfer() {}  // NOLINT: a defaulted one would fill all of it with zeros first, which takes longer than the rest

  ConstPieces data;
  bool on_request = false;  // nothing of it leaves before its receiver has asked for it

  enum class Phase : std::uint8_t {
    idle,        // not started, or ended
    leaving,     // all of it is with the transport
    announcing,  // its first part is with the transport; the rest waits to be asked for
    announced,   // the first part has left; the rest waits to be asked for
    answered,    // the first part is with the transport; the rest was asked for meanwhile
    following,   // a part of the rest is with the transport
    cut_off,     // the link is lost; it ends when that has a reason
  };
  bool active() const { return phase != Phase::idle; }
  bool in_transport() const { return active() && phase != Phase::announced && phase != Phase::cut_off; }
  // Nothing happens to it before its receiver calls what meets it.
  bool standing() const { return phase == Phase::announced; }

  // The messenger's.
  Phase phase = Phase::idle;
  OutgoingFrame frame;
  std::uint64_t handed_over = 0;  // bytes given to the transport so far
  std::uint64_t next_data = 0;    // how many of the rest go with the next frame
  std::uint32_t number = 0;       // names a message that waits to be pulled; 0: all of it went out eagerly

  SendTransfer* earlier = nullptr;  // the active sends to this peer
  SendTransfer* later = nullptr;
};

struct ReceiveTransfer : Transfer {
  ReceiveTransfer() {}  // NOLINT: as there

  Pieces memory;
  std::uint64_t capacity = 0;
  bool exact = false;  // the message must have just this length, and belong to the receive's call: a collective's

  enum class Phase : std::uint8_t {
    idle,      // not started, or ended
    posted,    // no message has come for it
    arriving,  // all of its message is here, or on its way
    awaiting,  // the rest of its message was asked for
  };
  bool active() const { return phase != Phase::idle; }
  // Nothing happens to it before its sender calls what meets it.
  bool standing() const { return phase == Phase::posted; }

  // The messenger's.
  Phase phase = Phase::idle;
  std::uint64_t arrived = 0;
  std::uint64_t posted = 0;  // tells which of two that wait was first
  std::uint32_t number = 0;  // the sender's name for it while its rest is awaited

  ReceiveTransfer* next_match = nullptr;
};

}  // namespace cohort
