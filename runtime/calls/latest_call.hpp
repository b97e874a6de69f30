// SPDX-License-Identifier: Apache-2.0
// A collective call that a group has planned last. A program that makes one like it again, as loops do, needs no new
// plan: only the memory is checked. For calls whose sizes are equal at all ranks.
#pragma once

#include <memory>

#include "cohort/detail/call.hpp"
#include "runtime/calls/call_comparison.hpp"
#include "runtime/calls/schedules.hpp"

namespace cohort::detail {

// Under the runtime's mutex.
class LatestCall {
 public:
  // Whether the call has the same plan. It may correct the call, as problem_of() does. False also for a call with a
  // mistake.
  bool is_like(const Handle& handle, Call& call, Rank me) const;

  const MadeCall& made() const { return made_; }
  const std::shared_ptr<const Solution>& solution() const { return solution_; }

  // The call has been planned, and corrected.
  void note(const Handle& handle, const Call& call, Rank me, const MadeCall& made,
            std::shared_ptr<const Solution> solution);

 private:
  Operation operation_ = Operation::partition;  // which is never noted
  Code type_ = 0;
  Code operator_ = 0;
  Rank root_ = 0;
  Count distance_ = 0;
  Count input_count_ = 0;
  Count output_count_ = 0;
  std::size_t element_bytes_ = 0;
  bool cyclic_ = true;
  bool commutative_ = true;
  bool in_place_ = false;
  Shared<const NamedAlgorithm> algorithm_;  // kept, so that no other one gets its address
  MadeCall made_;
  std::shared_ptr<const Solution> solution_;
};

}  // namespace cohort::detail
