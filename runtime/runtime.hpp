// One process of a job: its transport, its messages and its groups, wired to the machines that decide (failures,
// presence), to who drives (drive/) and to who looks (observe/). All is under the driver's mutex.
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
#include "runtime/calls/checks.hpp"
#include "runtime/complaints.hpp"
#include "runtime/control/control_link.hpp"
#include "runtime/drive/driver.hpp"
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
}

namespace cohort::detail {

class GroupState;
class Pending;
class ProgressThread;
class Watcher;

class Runtime : public std::enable_shared_from_this<Runtime>, private Driven {
 public:
  // `control` may be null: then nobody but the transport tells of failures, and leaving waits for nobody. `checks` is
  // null in run mode.
  Runtime(Job job, std::unique_ptr<Transport> transport, std::unique_ptr<ControlLink> control,
          std::unique_ptr<Checks> checks = nullptr);
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

  // For the program's calls. Throws Error where this process or thread is inert.
  class Lock : public Look {
   public:
    explicit Lock(Runtime& runtime) : Look(runtime.enter()) { runtime.driver_.waits().enter(); }
  };

  // Throws what a call throws that an inert process or thread makes, between these words. `frame` is in the stack of
  // the function that calls.
  [[noreturn]] void refuse_entry(const void* frame, const std::string& before = {}, const std::string& behind = {});
  // This thread has left an operator by longjmp, and the lock with it: nothing can go on, and the launcher is told.
  void tell_of_longjmp(const void* frame);

  std::uint32_t take_counter() { return groups_.take_counter(); }  // by any thread

  // Groups tell when they come and go, so that failures reach them. Without the mutex.
  void add(GroupState& group);
  void remove(GroupState& group);

  // Of algorithms, for all groups. Under the mutex.
  Choices& choices() { return choices_; }

  // Starts an operation, under the mutex. One that its caller does not wait for at once is to go on by itself, if the
  // job has a progress thread.
  void begin(Pending& pending);
  void begin_alone(Pending& pending);

  // Requests tell it when they end.
  Driver& driver() { return driver_; }

  // For calls that have nothing to wait for: what was started goes on in these, too. Under the mutex.
  void drive_in_passing() { driver_.in_passing(); }

  // Drives progress until the pending operation has ended.
  void wait(Lock& lock, Pending& pending);
  // Until this wait is over.
  void wait(Lock& lock, Wait& wait) { driver_.wait(lock.lock(), wait); }
  // Until `done()` says so: for the launcher's word, when this process leaves, or calls what is named.
  void wait_until(Lock& lock, const std::function<bool()>& done, std::string what = {});
  // Ends an operation that its caller no longer wants.
  void cancel(Pending& pending, const std::string& why);
  // The program has dropped the request of an operation that goes on. That is a mistake: the group fails.
  void request_dropped(Pending& pending);
  // One round of progress, without waiting. `polled`: what the caller would wait for.
  void progress(Pending* polled = nullptr);

  // What is still in progress when the process has left ends with an error. Throws Error if there are complaints.
  void leave();

  Complaints& complaints() { return mistakes_.own; }

  // Tells a process that a group has failed here; with `only_we_know`, that it has to tell the other members, because
  // this process does not know them. Under the mutex.
  void tell_failure(Pid peer, const GroupId& group, const Fault& fault, bool only_we_know = false);

  // A group has failed, or an exception that nobody catches ends this process: whose mistake that is, is the launcher's
  // to say. Under the mutex; the second without.
  void blame(const Fault& fault);
  void tell_uncaught(const std::string& words, bool is_error);
  const Blame& blame() const { return mistakes_.others; }

  // Waits until all who are left of a group's members have asked, and returns those who are not. Throws Error(left) if
  // this process leaves meanwhile, and what has broken where nothing can go on.
  std::vector<Pid> lost_members(const Survivors::Question& question, const std::vector<Pid>& members);

  // Says it to whoever reads what the job says.
  void warn(const std::string& what);

  // What leave() has thrown where nothing can be thrown: the job ends with an error.
  void confess(const std::string& what);

  Checks* checks() const { return checks_.get(); }  // null in run mode
  void took(const Taken& taken);                    // by a receive_any, if the job records that
  void for_each_pending(const std::function<void(const Pending&)>& visit) const;
  bool has_lost_somebody() const { return failures_.has_lost_somebody(); }

  // "pid 5, node7"
  std::string describe(Pid pid) const;
  // "rank 2 (pid 5, node7)"
  std::string describe(const GroupId& group, Pid pid) const;

  // For the watcher. Without the mutex.
  void news();  // there is something for ControlLink::poll()
  void flush();
  bool greet();  // whether somebody is at the door still
  void tell_mistakes();
  Doing doing();
  std::optional<Doing> long_wait();  // a wait has become long: what goes on, once for each such wait

 private:
  std::unique_lock<std::mutex> enter() {
    const void* const frame = __builtin_frame_address(0);
    if (is_fork()) refuse_entry(frame);
    return driver_.enter([&] {
      if (OperatorCall::inside()) refuse_entry(frame);
    });
  }

  bool move(Pid expected) override;
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
  const Pending* all_awaited() const;  // the operation that this process waits for, if it is one only
  Nanoseconds look_interval() const;   // then the control link is looked at, and whether calls mismatch
  void look_as_if_waiting(Pending& polled);
  void look_for_mistakes();
  void perform(const Failures::Actions& actions);
  void perform(const Failures::AskWhy& action);
  void perform(const Failures::NoVerdict& action);
  void perform(const Failures::PeerFails& action);
  void perform(const Failures::GroupFails& action);
  void perform(const Failures::AllFails& action);
  static void fail(GroupState& group, const ToldFailure& told);
  void sever_all();
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
  void hear(Pid from, frames::ListCall& call);
  Doing describe_now();

  const Job job_;
  std::unique_ptr<Transport> transport_;
  FaultyTransport* faulty_ = nullptr;  // it, if faults were asked for
  const std::unique_ptr<ControlLink> control_;
  Messenger messenger_;
  Driver driver_;
  enum class Stay : std::uint8_t { in_job, leaves, left } stay_ = Stay::in_job;

  // The program's, and what is known of others'.
  struct Mistakes {
    Blame others;
    Complaints own;
  } mistakes_;
  const std::unique_ptr<Checks> checks_;
  KnownGroups groups_;
  Choices choices_;
  Failures failures_;
  Presence presence_;

  struct LastLooks {
    Nanoseconds mistakes{0};  // by a caller that asks again and again
    Nanoseconds silence{0};
    Nanoseconds absence{0};  // for which those that waits are for were asked
  } last_looks_;

  // Last: they use the rest.
  struct OwnThreads {
    std::unique_ptr<Watcher> watcher;
    std::unique_ptr<ProgressThread> progress;
  } threads_;
};

}  // namespace cohort::detail
