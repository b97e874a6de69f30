// SPDX-License-Identifier: Apache-2.0
// The state behind a Group: its members, the numbers of its collectives, its schedules, its failure.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "cohort/detail/call.hpp"
#include "groups/members.hpp"
#include "runtime/calls/call_comparison.hpp"
#include "runtime/calls/call_errors.hpp"
#include "runtime/calls/latest_call.hpp"
#include "runtime/calls/schedules.hpp"
#include "runtime/linked_list.hpp"
#include "runtime/runtime.hpp"
#include "runtime/shared_pointers.hpp"

namespace cohort::detail {

class GroupState {
 public:
  GroupState(std::shared_ptr<Runtime> runtime, GroupId id, Members members, Rank me, std::int64_t label);
  ~GroupState();
  GroupState(const GroupState&) = delete;

  Runtime& runtime() const { return *runtime_; }
  const std::shared_ptr<Runtime>& shared_runtime() const { return runtime_; }
  const GroupId& id() const { return id_; }
  const Members& members() const { return members_; }
  Rank me() const { return me_; }
  std::int64_t label() const { return label_; }

  // The remaining functions need the runtime's mutex.

  // The collective calls that this member has made.
  CallComparison& calls() { return calls_; }
  const CallComparison& calls() const { return calls_; }

  // How often this process has made this subrange: the number makes the PGIDs of repeated ones differ.
  std::uint64_t next_subrange(Rank first, Rank stride, Rank count) { return ++subranges_[{first, stride, count}]; }

  std::uint64_t next_survivors() { return ++survivors_calls_; }

  Schedules& schedules() { return schedules_; }
  const Schedules& schedules() const { return schedules_; }  // without the mutex: network() only

  // Each operation whose calls are noted has a place of its own.
  LatestCall& latest_call(Operation operation) {
    return latest_calls_[static_cast<std::size_t>(operation) % latest_calls_.size()];
  }

  // A collective call begins that plays this solution.
  void plays(const std::shared_ptr<const Solution>& solution) {
    if (played_ != solution) played_ = solution;  // comparing costs nothing; counting a reference does
  }
  // The algorithm of the latest collective call; empty before the first call.
  std::string latest_algorithm() const { return played_ ? to_string(played_->choice) : ""; }

  // The group has failed: pending and later operations end with this fault.
  void fail(const FaultPointer& fault, Pid peer);

  // The group fails here by itself. All other members except `knows` are told, so that none of them waits for this one.
  void fail_and_tell(const FaultPointer& fault, Pid peer, Pid knows = -1);
  const FaultPointer& fault() const { return fault_; }
  Pid failed_peer() const { return failed_peer_; }
  // Throws if the group has failed, or the process has left the job: an error of this Call or Letter.
  template <class AnyCall>
  void check(const AnyCall& call) const {
    if (fault_ || runtime_->left()) refuse_failed(*this, call.operation, place_of(call));
  }

  // Called when nothing has happened for a while: finds out whether members made different calls.
  void look_for_mismatch();

  // The fault of a message that no call here will ever receive: its sender made another call. nullptr if there is none.
  FaultPointer unwanted_message(Pid& caller) const;

  // Another member has waited for a while in the collective of this number. The group fails if this member made another
  // call there. Returns whether this member may still send messages in it.
  bool asked(Pid by, std::uint64_t number, const MadeCall& call);

  void for_each_pending(const std::function<void(const Pending&)>& visit) const;
  bool waits_for(Pid pid) const;  // for a message of which nothing has arrived yet
  void add(Pending& pending);
  void remove(Pending& pending);

  // A thread waits in a collective call. Another thread can't call meanwhile, because the order of the two calls would
  // be undefined.
  void blocks(const Pending& pending) { blocking_ = &pending; }
  void check_alone(Operation operation, const Where& where) const;  // throws if there is such a call

  // Throws an error that names this call, in an inert process or thread (inert.hpp). Without the mutex.
  void check_entry(Operation operation, const Where& where) const {
    if (is_inert()) refuse_entry(*this, operation, where);
  }

  // "rank 5 (pid 5, node7)"
  std::string describe(Pid pid) const;
  std::string describe(const Fault& fault) const;  // with the lost process

  // Of an error on this group that is about this process; -1: none.
  ErrorContext context_of(Pid pid) const;

 private:
  bool has_failed(const Fault& by) const;
  bool goes_on(std::uint64_t number) const;  // whether this collective is in progress here

  const std::shared_ptr<Runtime> runtime_;
  const GroupId id_;
  const Members members_;
  const Rank me_;
  const std::int64_t label_;
  Schedules schedules_;
  std::shared_ptr<const Solution> played_;
  std::array<LatestCall, 16> latest_calls_;

  CallComparison calls_;
  std::map<std::tuple<Rank, Rank, Rank>, std::uint64_t> subranges_;
  std::uint64_t survivors_calls_ = 0;
  LinkedList<Pending> pending_;
  const Pending* blocking_ = nullptr;
  FaultPointer fault_;
  Pid failed_peer_ = -1;
};

}  // namespace cohort::detail
