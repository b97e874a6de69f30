// SPDX-License-Identifier: Apache-2.0
// Which processes wait in vain for this one. A machine: events go in, and answers to send come out.
//
// A member may be absent from a call that the others wait in: it has left the job, has let go of its last handle of the
// group, or has made another call there. A process that has waited for a while asks each process that it waits for,
// once. A process answers when it is absent: at once, or when it becomes absent. The answer follows all messages that
// the process ever sent, so a message that has not arrived before the answer will never arrive. Messages that are not
// late are not affected.
//
// While this process waits for the survivors of a group, a member of that group may wait for this process in another
// group, which has lost nobody. Then neither would continue. So the member that asked fails the other group, with the
// record of the loss, unless the message that it waited for has arrived meanwhile.
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
    std::uint64_t bytes = 0;  // as in MadeCall

    friend auto operator<=>(const Asker&, const Asker&) = default;
  };

  // This process's part in a group.
  struct Part {
    std::uint64_t calls = 0;  // collectives that it has called
    bool sends_more = false;  // operations in progress may still send
    FaultPointer fault;       // the fault with which the group has failed here
  };

  // The actions that this machine asks for.
  struct Compare {  // compares the calls; calls settle() if this process will send no more in its call
    Asker asker;
  };
  struct TellAbsence {
    Pid to = 0;
    GroupId group;
    FaultPointer fault;     // the group's failure, to be sent first; null: it has not failed
    bool left_job = false;  // or only the group
  };
  struct TellLoss {  // fails the asker's group, because this process asks for survivors
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
    may_answer_ = true;
  }
  void settle(const Asker& asker) { askers_.erase(asker); }

  // Whether answers() may have something to say. Who asks in a channel waits for as long as nothing happens here, and
  // costs this process's calls nothing meanwhile.
  bool may_answer() const { return may_answer_ && !askers_.empty(); }

  // let_go(): this process lets go of a group, which may have failed. leave(): it leaves the job.
  void let_go(const GroupId& group, const FaultPointer& fault);
  void leave() { leaves_ = may_answer_ = true; }

  // ask_survivors(): a thread asks for the survivors of a group with these members. survivors_told(): these questions
  // have their answer, or will get none.
  void ask_survivors(const Survivors::Question& question, const std::vector<Pid>& members) {
    survivors_asked_.emplace(question, members);
    may_answer_ = true;
  }
  void survivors_told(const std::function<bool(const Survivors::Question&)>& of) {
    std::erase_if(survivors_asked_, [&](const auto& asked) { return of(asked.first); });
  }

  // The answers to send now. An asker that gets an answer is forgotten.
  Actions answers(const Failures& failures, const std::function<Part(const GroupId&)>& part_in);

 private:
  struct LetGo {
    GroupId group;
    FaultPointer fault;
  };
  const LetGo* let_go_of(const GroupId& group) const;
  std::optional<TellLoss> asks_for_survivors_instead(const Asker& asker, const Failures& failures,
                                                     const Part& part) const;

  static constexpr std::size_t most_askers_each = 64;  // per process, which has few waiting operations at a time
  static constexpr std::size_t remembered = 256;

  const std::size_t most_askers_;
  std::set<Asker> askers_;
  std::deque<LetGo> let_go_;                                         // the last few
  std::map<Survivors::Question, std::vector<Pid>> survivors_asked_;  // with the group's members
  bool leaves_ = false;
  bool may_answer_ = false;
};

}  // namespace cohort
