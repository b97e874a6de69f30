// One process of a job: its transport, its messages, its groups, and who drives them.
//
// Any thread may call. The state is under one mutex; of the threads that wait, one at a time drives the transport,
// and sleeps in it without holding the mutex. The watcher, a thread of the runtime's own, listens to the agent. Where
// the job wants one, another (progress_thread.hpp) drives what was started while no thread of the program does.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "cohort/error.hpp"
#include "cohort/failure.hpp"
#include "collectives/selector/choices.hpp"
#include "groups/members.hpp"
#include "runtime/blame.hpp"
#include "runtime/control/control_link.hpp"
#include "runtime/develop/lists.hpp"
#include "runtime/develop/overlaps.hpp"
#include "runtime/doing.hpp"
#include "runtime/ended_requests.hpp"
#include "runtime/failures/failures.hpp"
#include "runtime/idling.hpp"
#include "runtime/inert.hpp"
#include "runtime/job.hpp"
#include "runtime/linked_list.hpp"
#include "runtime/messages/messenger.hpp"
#include "runtime/presence/presence.hpp"
#include "runtime/wait.hpp"

namespace cohort {
class FaultyTransport;
}

namespace cohort::detail {

class GroupState;
class Pending;
class ProgressThread;
class Watcher;

class Runtime : public std::enable_shared_from_this<Runtime> {
 public:
  // `control` may be null: then nobody but the transport tells of failures, and leaving waits for nobody.
  Runtime(Job job, std::unique_ptr<Transport> transport, std::unique_ptr<ControlLink> control);
  ~Runtime();

  const Job& job() const { return job_; }
  Rank host_of(Pid pid) const {
    return hosts_[static_cast<std::size_t>(pid)];
  }  // its number, the same at every process
  Messenger& messenger() { return messenger_; }
  bool left() const { return left_; }

  // Holds the mutex. A driver that spins lets threads in that wait for it. Throws Error where this process or thread is
  // inert.
  class Lock {
   public:
    explicit Lock(Runtime& runtime) : lock_(runtime.mutex_, std::defer_lock) {
      if (is_fork()) runtime.refuse_entry(this);
      if (!lock_.try_lock()) {
        if (OperatorCall::inside()) runtime.refuse_entry(this);
        runtime.entering_.fetch_add(1, std::memory_order_relaxed);
        lock_.lock();
        runtime.entering_.fetch_sub(1, std::memory_order_relaxed);
      }
      ++runtime.entries_;
    }
    std::unique_lock<std::mutex>& lock() { return lock_; }

   private:
    std::unique_lock<std::mutex> lock_;
  };

  // Throws what a call throws that an inert process or thread makes, between these words. `frame` is in the stack of
  // the function that calls.
  [[noreturn]] void refuse_entry(const void* frame, const std::string& before = {}, const std::string& behind = {});
  // This thread has left an operator by longjmp, and the lock with it: nothing can go on, and the launcher is told.
  void tell_of_longjmp(const void* frame);

  // A number that this process has not yet put into a PGID (CCL, section 2.3). It is taken before it is known whether
  // this process will be the one that names the group, so that two threads never offer the same.
  std::uint32_t take_counter() { return next_counter_.fetch_add(1); }

  // Whether there can be such a group, be it known here or not: one that this process will only join may have messages
  // on their way to it. Not one that nobody can be rank 0 of, or that this process would have named and has not.
  bool can_exist(const GroupId& group) const;

  // Groups tell when they come and go, so that failures reach them. Without the mutex.
  void add(GroupState& group);
  void remove(GroupState& group);

  // Of algorithms, for all groups. Under the mutex.
  Choices& choices() { return choices_; }

  // Starts an operation, under the mutex. One that its caller does not wait for at once is to go on by itself, if the
  // job has a progress thread.
  void begin(Pending& pending);
  void begin_alone(Pending& pending);

  // Requests tell when they end. Under the mutex, but for request_moved().
  void request_ended(RequestEnd& end) {
    --going_on_;
    ended_requests_.add(end);
  }
  void forget_request(RequestEnd& end, bool goes_on) {
    if (goes_on) --going_on_;
    ended_requests_.remove(end);
  }
  void request_moved() { ended_requests_.moved(); }
  EndedRequests& ended_requests() { return ended_requests_; }

  // For calls that have nothing to wait for: what was started goes on in these, too. Under the mutex.
  void drive_in_passing();

  // Drives progress until the pending operation has ended.
  void wait(Lock& lock, Pending& pending);
  // Until this wait is over.
  void wait(Lock& lock, Wait& wait);
  // Until `done()` says so: for the launcher's word, when this process leaves, or calls what is named.
  void wait_until(Lock& lock, const std::function<bool()>& done, std::string what = {});
  // Ends an operation that its caller gives up.
  void give_up(Pending& pending, const std::string& why);
  // The same where that is a mistake: the group fails.
  void drop(Pending& pending);
  // One round of progress, without waiting. `polled`: what the caller would wait for.
  void progress(Pending* polled = nullptr);

  // What is still in progress when the process has left ends with an error. Throws Error if there are complaints.
  void leave();

  // A mistake of the program that no call is left to tell of: leave() does.
  void complain(std::string what) { complaints_.push_back(std::move(what)); }
  // Of a message that nobody here has received: its sender is told, too, when all leave.
  void complain_of_message(Pid from, std::string what) {
    ignored_.insert(from);
    complain(std::move(what));
  }
  const std::set<Pid>& ignored() const { return ignored_; }

  // A group has failed, or an exception that nobody catches ends this process: whose mistake that is, is the launcher's
  // to say. Under the mutex; the second without.
  void blame(const Fault& fault);
  void tell_uncaught(const std::string& words, bool is_error);
  const Blame& blame() const { return blame_; }

  // Waits until all who are left of a group's members have asked, and returns those who are not. Throws Error(left) if
  // this process leaves meanwhile, and what has broken where nothing can go on.
  std::vector<Pid> lost_members(const Survivors::Question& question, const std::vector<Pid>& members);

  // Says it to whoever reads what the job says.
  void warn(const std::string& what);

  // What leave() has thrown where nothing can be thrown: the job ends with an error.
  void confess(const std::string& what);

  // In develop mode. Under the mutex.
  Lists& lists() { return lists_; }
  Overlaps& overlaps() { return overlaps_; }
  ReceiveOrder& receive_order() { return receive_order_; }
  void took(const Taken& taken);  // by a receive_any, if the job records that
  void for_each_pending(const std::function<void(const Pending&)>& visit) const;
  void note_group_fault(const FaultPointer& fault) { latest_group_fault_ = fault; }
  const FaultPointer& latest_group_fault() const { return latest_group_fault_; }  // maybe why this process leaves
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

  // For the progress thread. Without the mutex.
  void drive_what_was_started();  // until it is told to end
  void end_progress_thread();

 private:
  bool drive_once(Pid expected);  // under the mutex
  void drive(std::unique_lock<std::mutex>& lock, Wait& wait);
  void release_driver() {
    if (driver_ != nullptr && driver_->over()) transport_->wake();  // it may be asleep
  }
  void let_others_in(std::unique_lock<std::mutex>& lock);
  void look_around();  // at what no message tells of
  void inject(const FaultPlan& plan);
  void close_transport();
  void sleep(std::unique_lock<std::mutex>& lock);
  const Pending* all_awaited() const;  // the operation that this process waits for, if it is one only
  Nanoseconds look_interval() const;   // then the control link is looked at, and whether calls mismatch
  void look_as_if_waiting(Pending& polled);
  void look_for_mistakes();
  bool anything_started() const { return going_on_ > 0; }
  void rouse_progress_thread();
  void drive_alone(std::unique_lock<std::mutex>& lock);
  void perform(const Failures::Actions& actions);
  void perform(const Failures::AskWhy& action);
  void perform(const Failures::NoVerdict& action);
  void perform(const Failures::PeerFails& action);
  void perform(const Failures::GroupFails& action);
  void perform(const Failures::AllFails& action);
  static void fail(GroupState& group, const ToldFailure& told);
  void broke(const std::exception& error);
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
  void absent(Pid peer, const GroupId& group, bool left_job);
  Doing describe_now();
  void note_entries(Nanoseconds now);

  const Job job_;
  const std::vector<Rank> hosts_;  // by pid
  std::unique_ptr<Transport> transport_;
  FaultyTransport* faulty_ = nullptr;  // it, if faults were asked for
  const std::unique_ptr<ControlLink> control_;
  Messenger messenger_;
  Idling idling_;

  std::mutex mutex_;
  std::condition_variable changed_;
  Wait* driver_ = nullptr;  // of the thread that is in charge of the transport
  int followers_ = 0;       // threads that wait for the driver
  std::atomic<int> entering_ = 0;
  bool leaving_ = false;
  bool left_ = false;
  unsigned polls_ = 0;
  EndedRequests ended_requests_;
  std::size_t going_on_ = 0;    // requests that have not ended
  unsigned calls_to_pass_ = 0;  // before one looks whether it is time to drive
  Nanoseconds drove_in_passing_at_{0};

  Blame blame_;
  std::vector<std::string> complaints_;
  std::set<Pid> ignored_;  // processes that sent a message which nobody received
  Lists lists_;
  Overlaps overlaps_;
  FaultPointer latest_group_fault_;
  ReceiveOrder receive_order_;

  std::atomic<std::uint32_t> next_counter_ = 1;  // 0 is the group of all
  std::set<GroupState*> groups_;
  Choices choices_;

  Failures failures_;
  Presence presence_;

  // Let go of then: to end everything and to say why takes memory, of which there may be none left.
  static constexpr std::size_t reserve_bytes = 64 << 10;
  std::unique_ptr<std::byte[]> reserve_ = std::make_unique_for_overwrite<std::byte[]>(reserve_bytes);

  Nanoseconds looked_at_{0};    // when mistakes were last looked for by who asks again and again
  Nanoseconds listened_at_{0};  // when it was last asked who does not answer
  Nanoseconds asked_at_{0};     // when those that waits are for were last asked whether they are there
  LinkedList<Wait> waits_;
  std::uint64_t waits_begun_ = 0;
  std::uint64_t last_wait_seen_ = 0;  // by long_wait()
  std::uint32_t threads_seen_ = 0;
  std::uint64_t entries_ = 0;  // of threads, and returns from waits
  std::uint64_t entries_seen_ = 0;
  Nanoseconds entries_seen_at_{0};

  std::condition_variable something_started_;
  bool progress_thread_idle_ = false;  // it waits for something to be started
  bool progress_thread_ends_ = false;

  // Last: they use the others.
  std::unique_ptr<Watcher> watcher_;
  std::unique_ptr<ProgressThread> progress_thread_;
};

}  // namespace cohort::detail
