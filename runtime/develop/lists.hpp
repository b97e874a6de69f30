// The lists that processes call group() with, in develop mode: each member tells the others. group() is no barrier, and
// members may make it at any time, in any order. That their lists differ shows when two processes wait for one another,
// each in a group of a list that the other has not called with.
#pragma once

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
    bool waiting = false;  // its process waits in it for the other one, which has been told
  };

  void mine(Pid peer, Call call) { note(peers_[peer].mine, peers_[peer].theirs, std::move(call)); }
  void theirs(Pid peer, Call call) { note(peers_[peer].theirs, peers_[peer].mine, std::move(call)); }

  // This process waits for the peer in a group of this list. Returns whether the peer is to be told: it has not called
  // with it, and does not know.
  bool waits_for(Pid peer, const GroupId& setup);

  // The peer waits for this process in a group of this list.
  void is_waited_for(Pid peer, const GroupId& setup);

  // My call for this group, which the peer has not made, and one of the peer's that I have not made; if it has to, one
  // in which the peer waits for me.
  std::optional<std::pair<Call, Call>> conflict(Pid peer, const GroupId& setup, bool peer_waits) const;

  // The group has failed, and its error says why.
  void forget(const GroupId& setup);

  // My calls that another process has not made.
  std::vector<std::pair<Pid, Call>> unmet() const;

 private:
  static void note(std::vector<Call>& own, std::vector<Call>& other, Call call);

  struct Peer {
    std::vector<Call> mine;
    std::vector<Call> theirs;
  };
  std::map<Pid, Peer> peers_;  // without what both have called
};

// Tells the other members, and notes it here. Under the mutex.
void announce(Lists& lists, GroupState& setting_up, const Where& where);

// This is all that the process waits for. Whether it waits, in a group that was made of a list, for a member that waits
// for it in one of another list: then the group fails, and the other members are told. Under the mutex.
void look_for_other_list(Lists& lists, const Pending& pending);

// Both calls, where this process waits in a group that was made of a list, and a member has called with another one
// instead, as far as is known. That is a mistake only where nobody can go on. Under the mutex.
std::string differing_lists(const Lists& lists, const Pending& pending);

}  // namespace cohort::detail
