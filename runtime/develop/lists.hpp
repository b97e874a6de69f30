// SPDX-License-Identifier: Apache-2.0
// The lists that processes call group() with, in develop mode: each member tells its list to the others. group() is no
// barrier, and members may call it at any time, in any order. So a difference shows only when two processes wait for
// one another, each in a group that the other has not called.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cohort/detail/call.hpp"
#include "cohort/types.hpp"
#include "groups/members.hpp"

namespace cohort::detail {

class GroupState;
class Pending;

class Lists {
 public:
  struct Call {
    GroupId setup;
    std::string words;     // "group of pids 0, 2 (loop.cpp:9)"
    bool waiting = false;  // the caller waits in the group for the other process, which has been told
  };

  // Counts the frames that tell of calls: to each process, by pid, and from all.
  void sent_to(Pid peer) { ++peers_[peer].sent; }
  void add_sent(std::vector<std::int64_t>& counts) const;
  std::int64_t arrived() const { return arrived_; }

  void mine(Pid peer, Call call) { note(peers_[peer].mine, peers_[peer].theirs, std::move(call)); }

  // A frame of another process has arrived. Without words: the peer waits for this process in a group of this list.
  void told(Pid peer, const GroupId& setup, std::string words);

  // Notes that this process waits for the peer in a group of this list. Returns whether to tell the peer: it has not
  // called with this list, and was not told yet.
  bool waits_for(Pid peer, const GroupId& setup);

  // A pair of calls: mine for this group, which the peer has not made, and one of the peer's that I have not made. With
  // `peer_waits`, the peer must wait for me in the group of its call.
  std::optional<std::pair<Call, Call>> conflict(Pid peer, const GroupId& setup, bool peer_waits) const;

  // The group has failed, and its error tells the reason.
  void forget(const GroupId& setup);

  // My calls that another process has not made.
  std::vector<std::pair<Pid, Call>> unmet() const;

 private:
  static void note(std::vector<Call>& own, std::vector<Call>& other, Call call);

  struct Peer {
    std::vector<Call> mine;
    std::vector<Call> theirs;
    std::int64_t sent = 0;
  };
  std::map<Pid, Peer> peers_;  // without the calls that both have made
  std::int64_t arrived_ = 0;
};

// Tells this call to the other members, and notes it here. Under the mutex.
void announce(Lists& lists, GroupState& setting_up, const Where& where);

// Called when the process waits for this operation only. Suppose that the operation waits for a member in a group made
// of one list, and that member waits for this process in a group of another list. Then the group fails, and the other
// members are told. Under the mutex.
void look_for_other_list(Lists& lists, const Pending& pending);

// Names both calls, if this process waits in a group that was made of a list, and a member is known to have called with
// another list instead. That is a mistake only where nobody can go on. Under the mutex.
std::string differing_lists(const Lists& lists, const Pending& pending);

}  // namespace cohort::detail
