// SPDX-License-Identifier: Apache-2.0
// The failures that one process knows of: who is suspected, who is dead, and which groups have failed with whom. A
// machine: events go in, with the time where it matters, and actions come out.
//
// A broken link only makes its peer a suspect, because the peer may be innocent. Nothing fails before the launcher has
// said who is dead. If the launcher gives no verdict in time, or there is no launcher, the broken link itself is the
// reason.
//
// A group that fails by a death fails at each member when that member learns of the death, so that all have the same
// record. Until then this process remembers members that reported the group's failure earlier. It also remembers
// failures of groups that are unknown here, because such a group may be about to be made.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "groups/members.hpp"
#include "runtime/failures/fault.hpp"

namespace cohort {

class Failures {
 public:
  using Time = std::chrono::nanoseconds;  // of any monotonic clock

  struct Settings {
    Pid me = 0;
    bool has_launcher = false;
    Time verdict_limit{0};  // for the launcher to say why a link broke
  };

  // The actions that this machine asks for.
  struct AskWhy {  // asks the launcher why the link to this peer broke
    Pid peer = 0;
    std::string cause;
  };
  struct PeerFails {  // fails everything that involves a dead process: its transfers and its groups
    Pid peer = 0;
    FaultPointer fault;
  };
  struct GroupFails {  // fails the group here, as it failed at a member
    ToldFailure told;
  };
  struct NoVerdict {  // no verdict will come: the broken link itself becomes the record for died()
    Pid peer = 0;
    std::string cause;
  };
  struct AllFails {  // nothing can continue in this process
    FaultPointer fault;
  };
  using Action = std::variant<AskWhy, NoVerdict, PeerFails, GroupFails, AllFails>;
  using Actions = std::vector<Action>;  // to be performed in this order

  explicit Failures(const Settings& settings) : settings_(settings) {}

  // From the transport: a link broke, or its peer does not answer.
  Actions link_broke(Pid peer, const std::string& cause, Time now);

  // From the launcher: the record of a death, which may be this process's own.
  Actions died(const Failure& failure);

  // Time has passed: some suspects may have waited too long for their verdict.
  Actions look(Time now);

  Actions told(ToldFailure told);

  // The agent is gone, or the transport has failed.
  Actions broke(const FaultPointer& fault);

  // A group is made, or let go of. A list may be grouped again while its first group exists: then two groups have one
  // id. Returns the known failures of a new group. Each counts as told by the member that is dead, or by nobody (-1).
  std::vector<ToldFailure> made(const GroupId& group, const Members& members);
  void let_go(const GroupId& group) { known_.erase(known_.find(group)); }

  // This process has left the job: later events are ignored.
  void leave() { left_ = true; }

  const FaultPointer& broken() const { return broken_; }
  bool has_lost_somebody() const { return !dead_.empty() || broken_; }
  std::vector<Pid> lost() const;

  // Whether this peer has told of the group's failure by a death that is not known here yet.
  bool awaits_death(Pid from, const GroupId& group) const;

  // The first death among these members; if there is none, the latest known death; null if no death is known.
  FaultPointer loss_behind(const std::vector<Pid>& members) const;

 private:
  struct Suspect {
    std::string cause;
    Time since{0};
  };

  static void remember(std::deque<ToldFailure>& list, ToldFailure told);

  const Settings settings_;
  std::map<Pid, Suspect> suspects_;
  std::map<Pid, FaultPointer> dead_;
  FaultPointer broken_;
  bool left_ = false;

  std::multiset<GroupId> known_;
  // The last few failures that were told: of groups that are not known, and by deaths that are not known.
  static constexpr std::size_t remembered = 256;
  std::deque<ToldFailure> of_unknown_groups_;
  std::deque<ToldFailure> by_unknown_deaths_;
};

}  // namespace cohort
