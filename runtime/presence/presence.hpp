// Who waits in vain for this process. A machine: events go in, what is to be told comes out.
//
// A member may be absent from a call that the others wait in: it has left the job, has let go of its last handle of the
// group, or has called something else there. Whoever has waited for a while asks the processes that it waits for, once.
// A process answers when it is absent: at once, or when it goes. The answer comes behind all that it ever sent, so a
// message that is not there then will never come. Nothing of this touches messages that are not late.
//
// While this process waits for the survivors of a group, a member of that group may wait for it in another one, which
// has lost nobody: neither would go on. So the asker fails the other group, with the record of the loss, unless what it
// waited for has come meanwhile.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <variant>
#include <vector>

#include "groups/survivors.hpp"
#include "runtime/failures/failures.hpp"
#include "runtime/transport/frame.hpp"

namespace cohort {

class Presence {
 public:
  struct Asker {
    Pid pid = 0;
    GroupId group;
    std::uint64_t number = 0;  // of a collective's call; 0: in a channel
    CallKind call{};
    std::uint64_t bytes = 0;  // as MadeCall has them

    friend auto operator<=>(const Asker&, const Asker&) = default;
  };

  // What this process still does in a group.
  struct Part {
    std::uint64_t calls = 0;  // collectives that it has called
    bool sends_more = false;  // operations in progress may still send
    FaultPointer fault;       // by which the group has failed here
  };

  // What is to be done.
  struct Compare {  // the asker's call with this process's; and if nothing more comes of it, settle() with the asker
    Asker asker;
  };
  struct TellAbsence {
    Pid to = 0;
    GroupId group;
    FaultPointer fault;     // why this process went, to be told before; null: for no fault
    bool left_job = false;  // or only the group
  };
  struct TellLoss {  // the asker's group fails by it, since survivors are asked for
    Pid to = 0;
    GroupId group;
    FaultPointer loss;
    GroupId survivors_of;
  };
  using Action = std::variant<Compare, TellAbsence, TellLoss>;
  using Actions = std::vector<Action>;

  explicit Presence(Pid processes) : most_askers_(most_askers_each * static_cast<std::size_t>(processes)) {}

  // Another process has waited for this one for a while.
  void asked(const Asker& asker) {
    if (askers_.size() < most_askers_) askers_.insert(asker);
  }
  void settle(const Asker& asker) { askers_.erase(asker); }
  bool anybody_asks() const { return !askers_.empty(); }

  // This process lets go of a group, which may have failed; leaves the job.
  void let_go(const GroupId& group, const FaultPointer& fault);
  void leave() { leaves_ = true; }

  // A thread asks for the survivors of a group with these members; some of those who asked have their answer, or none
  // will come.
  void ask_survivors(const Survivors::Question& question, const std::vector<Pid>& members) {
    survivors_asked_.emplace(question, members);
  }
  void survivors_told(const std::function<bool(const Survivors::Question&)>& of) {
    std::erase_if(survivors_asked_, [&](const auto& asked) { return of(asked.first); });
  }

  // What those who wait are to be told now. Whoever gets an answer is forgotten.
  Actions answers(const Failures& failures, const std::function<Part(const GroupId&)>& part_in);

 private:
  struct LetGo {
    GroupId group;
    FaultPointer fault;
  };
  const LetGo* let_go_of(const GroupId& group) const;
  std::optional<TellLoss> asks_for_survivors_instead(const Asker& asker, const Failures& failures,
                                                     const Part& part) const;

  static constexpr std::size_t most_askers_each = 64;  // by process: few of its operations wait at a time
  static constexpr std::size_t remembered = 256;

  const std::size_t most_askers_;
  std::set<Asker> askers_;
  std::deque<LetGo> let_go_;                                         // the last few
  std::map<Survivors::Question, std::vector<Pid>> survivors_asked_;  // with the members
  bool leaves_ = false;
};

}  // namespace cohort
