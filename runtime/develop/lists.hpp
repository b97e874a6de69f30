// The lists that processes call group() with, in develop mode: each member tells the others. group() is no barrier, and
// members may make it at any time: that their lists differ shows when one waits and each of two has called with a list
// that the other has not.
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

// The address of the messages that set up a group: the same for the same list.
GroupId setup_id(std::span<const Pid> list);

class Lists {
 public:
  struct Call {
    GroupId setup;
    std::string words;  // "group of pids 0, 2 (loop.cpp:9)"
  };

  void mine(Pid peer, Call call) { note(peers_[peer].mine, peers_[peer].theirs, std::move(call)); }
  void theirs(Pid peer, Call call) { note(peers_[peer].theirs, peers_[peer].mine, std::move(call)); }

  // My call for this group, which the peer has not made, and one of the peer's that I have not made.
  std::optional<std::pair<Call, Call>> conflict(Pid peer, const GroupId& setup) const;

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
void announce(GroupState& setting_up, const Where& where);

// Whether a member of this group, which was made of a list, has called with another one instead: then the group fails,
// and the other members are told. Under the mutex.
void look_for_other_list(GroupState& group);

}  // namespace cohort::detail
