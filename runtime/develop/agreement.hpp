// SPDX-License-Identifier: Apache-2.0
// In develop mode the members of a group agree on a collective before it begins: each states its call, and all learn of
// the first two that differ.
//
// The agreement is a combine of the members' statements. For an exchange with sizes for each pair, a concat of the
// sizes follows.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/calls/play.hpp"
#include "runtime/develop/statement.hpp"

namespace cohort::detail {

// Under the runtime's mutex.
class Agreement {
 public:
  // The call and the group outlive the agreement. `done` is called when no message of it is in progress: it has failed,
  // or it is complete and `disagreement` is known. `broken` is called when it fails by itself.
  Agreement(GroupState& group, const Call& call, const Task& task, std::uint64_t number, std::function<void()> done,
            std::function<void()> broken);

  void start();
  bool ended() const { return !play_ || play_->ended(); }  // no message is in progress
  void fail(const FaultPointer& fault, Pid peer);
  Pid waits_for() const { return play_ ? play_->waits_for() : -1; }

  // Adds the processes that the agreement waits for.
  void describe(Doing::Call& call) const;

  // Why the agreement failed by itself.
  const FaultPointer& fault() const { return play_->fault(); }
  Pid failed_peer() const { return play_->failed_peer(); }

  // Names two members and their different calls; nullptr if all called the same. differing() is the pid of the second.
  const FaultPointer& disagreement() const { return disagreement_; }
  Pid differing() const { return differing_; }

 private:
  void play(Operation operation, const PlayMemory& memory, const std::function<void()>& completed);
  void compare_calls();
  void exchange_sizes();
  void compare_sizes();
  void disagree(Rank second, std::string what);

  GroupState& group_;
  const Call& call_;
  const Envelope envelope_;
  const std::function<void()> done_;
  const std::function<void()> broken_;
  const Reduction joining_;
  Statements statements_;
  std::vector<std::int64_t> my_sizes_;   // the words that name the call, then its sizes
  std::vector<std::int64_t> all_sizes_;  // such a row for each rank
  std::shared_ptr<const Solution> call_solution_;
  std::shared_ptr<const Solution> sizes_solution_;
  std::unique_ptr<Play> call_play_;
  std::unique_ptr<Play> sizes_play_;
  Play* play_ = nullptr;  // the play in progress, or the last one
  FaultPointer disagreement_;
  Pid differing_ = -1;
};

}  // namespace cohort::detail
