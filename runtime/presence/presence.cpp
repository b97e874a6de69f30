// SPDX-License-Identifier: Apache-2.0
#include "runtime/presence/presence.hpp"

#include <algorithm>
#include <utility>

namespace cohort {

void Presence::let_go(const GroupId& group, const FaultPointer& fault) {
  let_go_.push_back({group, fault});
  if (let_go_.size() > remembered) let_go_.pop_front();
  may_answer_ = true;
}

const Presence::LetGo* Presence::let_go_of(const GroupId& group) const {
  const auto found = std::ranges::find(let_go_, group, &LetGo::group);
  return found == let_go_.end() ? nullptr : &*found;
}

std::optional<Presence::TellLoss> Presence::asks_for_survivors_instead(const Asker& asker, const Failures& failures,
                                                                       const Part& part) const {
  const auto asked = std::ranges::find_if(survivors_asked_, [&](const auto& question) {
    return std::ranges::find(question.second, asker.pid) != question.second.end();
  });
  const bool has_called = asker.number > 0 && asker.number <= part.calls;
  if (asked == survivors_asked_.end() || has_called) return std::nullopt;
  FaultPointer loss = failures.loss_behind(asked->second);
  if (!loss) return std::nullopt;
  return TellLoss{asker.pid, asker.group, std::move(loss), asked->first.group};
}

Presence::Actions Presence::answers(const Failures& failures, const std::function<Part(const GroupId&)>& part_in) {
  Actions actions;
  may_answer_ = false;
  std::erase_if(askers_, [&](const Asker& asker) {
    const LetGo* const gone = let_go_of(asker.group);
    if (!leaves_ && gone == nullptr && asker.number == 0 && survivors_asked_.empty()) return false;
    may_answer_ = true;  // also the next time, if not now
    const Part part = part_in(asker.group);
    if (!leaves_) {
      if (auto loss = asks_for_survivors_instead(asker, failures, part)) {
        actions.emplace_back(*std::move(loss));
        return true;
      }
    }
    if (!leaves_ && gone == nullptr) {
      if (asker.number > 0) actions.emplace_back(Compare{asker});
      return false;
    }
    if (part.sends_more) return false;
    FaultPointer fault = part.fault != nullptr || gone == nullptr ? part.fault : gone->fault;
    actions.emplace_back(TellAbsence{asker.pid, asker.group, std::move(fault), leaves_});
    return true;
  });
  return actions;
}

}  // namespace cohort
