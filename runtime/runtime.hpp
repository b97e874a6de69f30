// SPDX-License-Identifier: Apache-2.0
// One process of a job: its transport, messages and groups. It connects them to the machines that decide (failures,
// presence), to the driver of progress (drive/), and to the reports (observe/). All of it is under the driver's mutex.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cohort/error.hpp"
#include "cohort/failure.hpp"
#include "collectives/selector/choices.hpp"
#include "groups/members.hpp"
#include "runtime/calls/mode.hpp"
#include "runtime/complaints.hpp"
#include "runtime/control/control_link.hpp"
#include "runtime/drive/driver.hpp"
#include "runtime/drive/looks_in_vain.hpp"
#include "runtime/failures/blame.hpp"
#include "runtime/failures/failures.hpp"
#include "runtime/groups/known_groups.hpp"
#include "runtime/inert.hpp"
#include "runtime/job.hpp"
#include "runtime/messages/messenger.hpp"
#include "runtime/observe/doing.hpp"
#include "runtime/observe/waits.hpp"
#include "runtime/presence/presence.hpp"

namespace cohort {
class FaultyTransport;
namespace frames {
struct AskPresence;
struct Absence;
struct GroupFailure;
}  // namespace frames
}  // namespace cohort

namespace cohort::detail {

class GroupState;
class Pending;
class ProgressThread;
class Watcher;

class Runtime final : public std::enable_shared_from_this<Runtime>, private Driven {
 public:
  // If `control` is null, only the transport reports failures, and leaving waits for nobody. If `mode` is null, it is
  // run mode.
  Runtime(Job job, std::unique_ptr<Transport> transport, std::unique_ptr<ControlLink> control,
          std::unique_ptr<Mode> mode = nullptr);
  ~Runtime();

  const Job& job() const { return job_; }
  Messenger& messenger() { return messenger_; }
  bool left() const { return stay_ == Stay::left; }

  // Holds the mutex, for the runtime's own threads.
  class Look {
   public:
    explicit Look(Runtime& runtime) : lock_(runtime.driver_.enter([] {})) {}
    std::unique_lock<std::mutex>& lock() { return lock_; }

   protected:
    explicit Look(std::unique_lock<std::mutex> lock) : lock_(std::move(lock)) {}

   private:
    std::unique_lock<std::mutex> lock_;
  };

  // Holds the mutex, for the program's calls. Throws Error where this process or thread is inert.
  class Lock : public Look {
   public:
    explicit Lock(Runtime& runtime) : Look(runtime.enter()) { runtime.driver_.waits().enter(); }
  };

  // Throws the error of a call in an inert process or thread; `before` and `behind` surround its text. `frame` is in
  // the stack of the calling function.
  [[noreturn]] void refuse_entry(const void* frame, const std::string& before = {}, const std::string& behind = {},
                                 ErrorContext context = {});
  // Tells the launcher that this thread has left an operator by longjmp. The thread still holds the lock, so nothing
  // can go on.
  void tell_of_longjmp(const void* frame);

  std::uint32_t take_counter() { return groups_.take_counter(); }  // by any thread

  // Groups register here, so that failures reach them. Without the mutex.
  void add(GroupState& group);
  void remove(GroupState& group);

  // The choices of algorithms, for all groups. Under the mutex.
  Choices& choices() { return choices_; }

  // Starts an operation, under the mutex. begin_alone() is for operations that the caller does not wait for at once:
  // the progress thread drives them, if the job has one.
  void begin(Pending& pending) {
    Looks none;
    begin(pending, none);
  }
  void begin(Pending& pending, Looks& looks);
  void begin_alone(Pending& pending);

  // Requests report their end to the driver.
  Driver& driver() { return driver_; }

  // For calls that have nothing to wait for: started operations make progress in these, too. Under the mutex.
  void drive_in_passing() { driver_.in_passing(); }
  // A call that needs messages may look for them before it waits. ended_at_once(): it has found all of them.
  Looks first_looks() const { return {driver_.first_looks()}; }
  void ended_at_once(const Looks& looks) {
    if (looks.in_vain) driver_.met_soon();
    driver_.in_passing();
  }

  // Drives progress until the pending operation has ended.
  void wait(Lock& lock, Pending& pending);
  // Drives progress until this wait is over.
  void wait(Lock& lock, Wait& wait) { driver_.wait(lock.lock(), wait); }
  // Drives progress until `done()` returns true: for the launcher's answer, when this process leaves or makes the call
  // `what`.
  void wait_until(Lock& lock, const std::function<bool()>& done, std::string what = {});
  // Ends an operation that its caller no longer wants.
  void cancel(Pending& pending, const std::string& why);
  // The program has dropped the request of an operation that is not complete. That is a mistake: the group fails.
  void request_dropped(Pending& pending);
  // One round of progress, without waiting. `polled`: the operation that the caller asks for. In a loop, what a waiting
  // thread looks for is looked for at each tick of the coarse clock.
  void progress(Pending* polled = nullptr);
  // Whether the last of many rounds in vain, for callers that poll in a loop, was just now. Without the mutex.
  bool looked_just_now() const { return last_looks_.in_vain.too_soon(LooksInVain::time_stamp()); }

  // Operations that are still in progress when the process has left end with an error. Throws Error if there are
  // complaints.
  void leave();

  Complaints& complaints() { return mistakes_.own; }

  // Tells a process that a group has failed here. With `only_we_know`, that process has to tell the other members,
  // because this process does not know them. Under the mutex.
  void tell_failure(Pid peer, const GroupId& group, const Fault& fault, bool only_we_know = false);

  // Reports to the launcher that a group has failed, or that an uncaught exception ends this process. The launcher
  // decides whose mistake it is. blame() is under the mutex, tell_uncaught() without.
  void blame(const Fault& fault);
  void tell_uncaught(const std::string& words, bool is_error);
  // This process ends itself at once, and `cause` says why. The launcher ends these members with it, or the whole job
  // if there are none: also in a job that goes on without lost processes. Without the mutex.
  void tell_abort(const std::string& cause, const std::vector<Pid>& members = {});
  const Blame& blame() const { return mistakes_.others; }

  // Waits until all remaining members of a group have asked, and returns the members that are lost or leave. Throws
  // Error(left) if this process leaves meanwhile, and the fault if this process's runtime has broken.
  std::vector<Pid> lost_members(const Survivors::Question& question, const std::vector<Pid>& members);

  // Prints a warning to the job's error output.
  void warn(const std::string& what);

  // Reports what leave() has thrown where the destructor can't throw: the job ends with an error.
  void confess(const std::string& what);

  Mode& mode() const { return *mode_; }
  void took(const Taken& taken);  // the source of a receive_any, if the job records sources
  void for_each_pending(const std::function<void(const Pending&)>& visit) const;
  bool has_lost_somebody() const { return failures_.has_lost_somebody(); }
  std::vector<Pid> lost() const { return failures_.lost(); }  // the dead that this process knows of. Under the mutex.

  // "pid 5, node7"
  std::string describe(Pid pid) const;
  // "rank 2 (pid 5, node7)"
  std::string describe(const GroupId& group, Pid pid) const;

  // For the watcher. Without the mutex.
  void news();  // ControlLink::poll() has something to read
  void flush();
  bool greet();  // returns whether there are still connections to greet
  void tell_mistakes();
  Doing doing();
  std::optional<Doing> long_wait();  // if a wait has become long: a report, once for each such wait

 private:
  std::unique_lock<std::mutex> enter() {
    const void* const frame = __builtin_frame_address(0);
    if (is_fork()) refuse_entry(frame);
    return driver_.enter([&] {
      if (OperatorCall::inside()) refuse_entry(frame);
    });
  }

  bool move(Pid expected) override;
  bool soon() override { return transport_->soon(); }
  void look_around() override;
  Nanoseconds before_pause() override;
  void sleep(Nanoseconds limit) override { transport_->wait(limit); }
  void after_sleep(const Wait& wait, Nanoseconds since, Nanoseconds limit) override;
  void wake() override { transport_->wake(); }
  Nanoseconds now() override { return transport_->now(); }
  bool has_ended() const override { return left(); }
  void broke(const std::exception& error) override;

  void inject(const FaultPlan& plan);
  void close_transport();
  const Pending* all_awaited() const;  // the operation that this process waits for, if it waits for exactly one
  Nanoseconds look_interval() const;   // at which the control link and mismatches of calls are looked at
  void look_as_if_waiting(Pending& polled);
  void look_for_mistakes();
  void perform(const Failures::Actions& actions);
  void perform(const Failures::AskWhy& action);
  void perform(const Failures::NoVerdict& action);
  void perform(const Failures::PeerFails& action);
  void perform(const Failures::GroupFails& action);
  void perform(const Failures::AllFails& action);
  static void fail(GroupState& group, const ToldFailure& told);
  void disconnect_all();
  void end_all(const FaultPointer& fault);
  void look_for_silence(Nanoseconds now);
  void ask_the_absent(Nanoseconds now, Nanoseconds limit);
  void ask_the_absent(Pending& awaited);
  void answer_askers();
  void perform(const Presence::Compare& action);
  void perform(const Presence::TellAbsence& action);
  void perform(const Presence::TellLoss& action);
  Presence::Part part_in(const GroupId& id) const;
  void hear(Pid from, const frames::AskPresence& question);
  void hear(Pid from, const frames::Absence& absence);
  void hear(Pid from, const frames::GroupFailure& failure);
  void hear(Pid from, frames::Control&& frame);
  Doing describe_now();

  const Job job_;
  std::unique_ptr<Transport> transport_;
  FaultyTransport* faulty_ = nullptr;  // transport_ itself, if faults were asked for
  const std::unique_ptr<ControlLink> control_;
  Messenger messenger_;
  Driver driver_;
  enum class Stay : std::uint8_t { in_job, leaves, left } stay_ = Stay::in_job;

  // The program's own mistakes, and those of other processes that are known here.
  struct Mistakes {
    Blame others;
    Complaints own;
  } mistakes_;
  const std::unique_ptr<Mode> mode_;
  KnownGroups groups_;
  Choices choices_;
  Failures failures_;
  Presence presence_;

  struct LastLooks {
    LooksInVain in_vain;      // of callers that poll in a loop
    Nanoseconds around{0};    // of a caller that polls in a loop: a tick of the coarse clock
    Nanoseconds mistakes{0};  // of a caller that polls in a loop
    Nanoseconds silence{0};
    Nanoseconds absence{0};  // of the last question whether awaited processes are absent
  } last_looks_;

  // Last, because these threads use the other members.
  struct OwnThreads {
    std::unique_ptr<Watcher> watcher;
    std::unique_ptr<ProgressThread> progress;
  } threads_;
};

}  // namespace cohort::detail
