// Which process a broken link costs the job. Two processes that can't reach each other both live; one of them has to
// go, unless a death explains what the others see. No I/O: events in, decisions out.
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
  std::uint32_t question = 0;  // that was asked about it: BrokenLinks numbers them
};

// The process with links to the most others broken, and one who says so; of several the one that more accuse, then one
// that has sent nonsense, then the highest. Nothing where there are no accusations.
std::optional<Accusation> worst(const std::vector<Accusation>& accusations);

// The accusations that are not settled.
class BrokenLinks {
 public:
  bool empty() const { return accusations_.empty(); }
  void clear() { accusations_.clear(); }
  void accuse(Pid by, Pid of, std::string cause) { accusations_.push_back({by, of, std::move(cause)}); }

  // The number of a question to all hosts, who has died, if there are accusations that came after the last one.
  std::optional<std::uint32_t> ask();

  // Those by or of a process that is gone.
  void forget(const std::function<bool(Pid)>& is_gone);

  // One that is true, and costs the job the process `of`: of those that have nothing to do with one that is open still,
  // or not yet asked about. Two have if they share a process, or others in between do: who has to go is for all of
  // these to say.
  std::optional<Accusation> judge(const std::function<bool(const Accusation&)>& is_open) const;

 private:
  std::vector<Accusation> accusations_;
  std::uint32_t questions_ = 0;
};

}  // namespace cohort
