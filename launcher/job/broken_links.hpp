// SPDX-License-Identifier: Apache-2.0
// Which process the job loses by a broken link. Both ends of a broken link may live. The job gives up one of the two,
// unless a death explains the broken link. No I/O: events in, decisions out.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cohort/types.hpp"

namespace cohort {

// `by` says that its link to `of` broke.
struct Accusation {
  Pid by = 0;
  Pid of = 0;
  std::string cause;
  std::uint32_t question = 0;  // number of the first question to the hosts after this accusation; 0: not asked yet
};

// The accusation of the process with the most broken links. Ties are decided by the number of accusers, then by whether
// the process sent nonsense, then by the highest pid. Nothing without accusations.
std::optional<Accusation> worst(const std::vector<Accusation>& accusations);

// The accusations that are not decided yet.
class BrokenLinks {
 public:
  bool empty() const { return accusations_.empty(); }
  void clear() { accusations_.clear(); }
  void accuse(Pid by, Pid of, std::string cause) { accusations_.push_back({by, of, std::move(cause)}); }

  // The number of a new question to all hosts: which processes have died? Nothing if no accusation came after the last
  // question.
  std::optional<std::uint32_t> ask();

  // Removes the accusations by or of a process that is gone.
  void forget(const std::function<bool(Pid)>& is_gone);

  // A decided accusation: the job gives up the process `of`. An accusation is open while `is_open` says so or no host
  // was asked about it. Accusations that share a process, directly or through others, are decided together: one open
  // accusation keeps all of them waiting.
  std::optional<Accusation> judge(const std::function<bool(const Accusation&)>& is_open) const;

 private:
  std::vector<Accusation> accusations_;
  std::uint32_t questions_ = 0;
};

}  // namespace cohort
