// SPDX-License-Identifier: Apache-2.0
#include "collectives/selector/recurring_calls.hpp"

#include <algorithm>
#include <utility>

namespace cohort {
namespace {

// Whether all that members know alike of two calls in one group is the same.
bool alike(const Problem& a, const Problem& b) {
  return a.operation == b.operation && a.root == b.root && a.element_bytes == b.element_bytes &&
         a.commutative == b.commutative && a.blocks == b.blocks;
}

}  // namespace

ChoiceProfile RecurringCalls::profile_for(std::uint64_t calls) {
  ChoiceProfile profile = profiles::measured;
  profile.playing.part_of_call *= static_cast<double>(calls);
  return profile;
}

ChoiceProfile RecurringCalls::profile_for_first_calls() {
  ChoiceProfile profile = profiles::measured;
  profile.playing.least_s = first_calls_s;
  return profile;
}

const Choice& RecurringCalls::choose(const Problem& problem,
                                     const std::function<Choice(const ChoiceProfile&)>& choose) {
  const auto known = std::ranges::find_if(kept_, [&](const Kept& kept) { return alike(kept.problem, problem); });
  if (known != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, known);
  } else {
    kept_.push_front({.problem = problem, .choice = {}});
    if (kept_.size() > most_kept) kept_.pop_back();
    if (++different_ <= first_calls) {
      kept_.front().choice = choose(profile_for_first_calls());
      kept_.front().next_choice = 0;
    }
  }
  Kept& call = kept_.front();
  if (++call.calls == call.next_choice) {
    call.choice = choose(profile_for(call.calls));
    call.next_choice = call.calls < last_choice ? call.calls * 8 : 0;
  }
  return call.choice;
}

}  // namespace cohort
