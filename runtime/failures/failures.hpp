// Who is suspected, who is dead, and which groups have failed with whom, as one process knows it. A machine: events go
// in, with the time where it counts; what is to be done comes out.
//
// A link that broke makes a suspect and no more: its peer may be an innocent one. Nothing fails before the launcher has
// said who is dead; where it says nothing for too long, or there is none, the broken link itself is the reason.
//
// A group that fails by a death fails at each member when that one knows of the death: so all have the same record. A
// member that has told of it before is remembered until then, and so is a failure of a group that is not known here:
// it may be about to be made.
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
  using Time = std::chrono::nanoseconds;  // of any clock that never goes back

  struct Settings {
    Pid me = 0;
    bool has_launcher = false;
    Time verdict_limit{0};  // for the launcher to say why a link broke
  };

  // What is to be done.
  struct AskWhy {  // the launcher: the link to this peer broke
    Pid peer = 0;
    std::string cause;
  };
  struct PeerFails {  // all that has to do with a dead process: its transfers, and its groups
    Pid peer = 0;
    FaultPointer fault;
  };
  struct GroupFails {  // here, as it did there
    ToldFailure told;
  };
  struct NoVerdict {  // nobody will say why: the broken link itself is the record that died() is told
    Pid peer = 0;
    std::string cause;
  };
  struct AllFails {  // nothing can go on here
    FaultPointer fault;
  };
  using Action = std::variant<AskWhy, NoVerdict, PeerFails, GroupFails, AllFails>;
  using Actions = std::vector<Action>;  // in this order

  explicit Failures(const Settings& settings) : settings_(settings) {}

  // The transport: a link broke, or its peer does not answer.
  Actions link_broke(Pid peer, const std::string& cause, Time now);

  // The launcher's record of a death. It may be this process's own.
  Actions died(const Failure& failure);

  // Time has passed: some of the suspects may have waited for their verdict long enough.
  Actions look(Time now);

  Actions told(ToldFailure told);

  // The agent is gone, or the transport has failed.
  Actions broke(const FaultPointer& fault);

  // Groups come and go. The same list may be grouped again: then two have one id. Returns what a new one fails by; the
  // member that is dead, or nobody (-1), counts as who has told it.
  std::vector<ToldFailure> made(const GroupId& group, const Members& members);
  void let_go(const GroupId& group) { known_.erase(known_.find(group)); }

  // This process has left the job: nothing is news any more.
  void leave() { left_ = true; }

  const FaultPointer& broken() const { return broken_; }
  bool has_lost_somebody() const { return !dead_.empty() || broken_; }

  // Whether that one has told of this group's failure by a death that is not known here yet.
  bool awaits_death(Pid from, const GroupId& group) const;

  // By which a group with these members has failed; else the latest that is known; null: there is none.
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
  // The last few: of groups that are not known, or by deaths that are not.
  static constexpr std::size_t remembered = 256;
  std::deque<ToldFailure> of_unknown_groups_;
  std::deque<ToldFailure> by_unknown_deaths_;
};

}  // namespace cohort
