// What the members of a group do before a collective in develop mode: each tells what it calls, and all learn of the
// first two that differ.
//
// A combine of the members' statements, and, for an exchange with sizes for each pair, a concat of the sizes.
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
  // The call and the group outlive it. `done` is called when nothing of it is in progress any more: it has failed, or
  // all is said, and `disagreement` is known. `broken` is called when it fails by itself.
  Agreement(GroupState& group, const Call& call, const Task& task, std::uint64_t number, std::function<void()> done,
            std::function<void()> broken);

  void start();
  bool ended() const { return !play_ || play_->ended(); }  // nothing of it is in progress
  void fail(const FaultPointer& fault, Pid peer);
  Pid waits_for() const { return play_ ? play_->waits_for() : -1; }

  // Whom it waits for.
  void describe(Doing::Call& call) const;

  // Why it failed by itself.
  const FaultPointer& fault() const { return play_->fault(); }
  Pid failed_peer() const { return play_->failed_peer(); }

  // Which two members called what, and the pid of the second; nullptr if all called the same.
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
  std::vector<std::int64_t> my_sizes_;  // behind the words that name my call; for all ranks: one such row a rank
  std::vector<std::int64_t> all_sizes_;
  std::shared_ptr<const Solution> call_solution_;
  std::shared_ptr<const Solution> sizes_solution_;
  std::unique_ptr<Play> call_play_;
  std::unique_ptr<Play> sizes_play_;
  Play* play_ = nullptr;  // the one in progress, or the last one
  FaultPointer disagreement_;
  Pid differing_ = -1;
};

}  // namespace cohort::detail
