// A job's life: its hosts, who has joined and left, the failures, the end.
//
//   hosts attach -> all are told to start -> processes join, each says where it listens -> all get the table ->
//   processes leave -> processes end -> hosts finish -> the rest of the output is written
//
// The job ends early, by one path (end_early), when a process fails, on Ctrl-C, on a timeout, or when nobody reads its
// output: what runs gets a signal, some time, and then SIGKILL.
#pragma once

#include <asio/io_context.hpp>
#include <asio/signal_set.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cohort/failure.hpp"
#include "groups/survivors.hpp"
#include "launcher/clock.hpp"
#include "launcher/host/attended_timer.hpp"
#include "launcher/host/host.hpp"
#include "launcher/host/limit.hpp"
#include "launcher/host/local_host.hpp"
#include "launcher/host/machine.hpp"
#include "launcher/host/reaper.hpp"
#include "launcher/host/warden.hpp"
#include "launcher/job/blames.hpp"
#include "launcher/job/broken_links.hpp"
#include "launcher/job/escalation.hpp"
#include "launcher/job/exit_status.hpp"
#include "launcher/job/faults_file.hpp"
#include "launcher/job/hosts.hpp"
#include "launcher/job/input.hpp"
#include "launcher/job/inquiry.hpp"
#include "launcher/job/output.hpp"
#include "launcher/job/phases.hpp"
#include "launcher/job/receive_record.hpp"
#include "launcher/job/roster.hpp"
#include "launcher/job/status_server.hpp"
#include "launcher/network/tuning_file.hpp"
#include "launcher/remote/remote_hosts.hpp"
#include "runtime/job.hpp"

namespace cohort {

struct JobPlan {
  int ranks = 0;
  std::vector<HostPlan> hosts;
  std::vector<std::string> remote_shell;
  int shells_at_once = 0;  // remote shells that may start at once
  std::string interface;
  PortRange ports;  // that may be listened at, on all hosts
  std::string program;
  std::vector<std::string> arguments;
  std::vector<std::string> environment;  // NAME=VALUE, for all processes
  std::string directory;
  bool label = false;
  bool barrier = true;
  bool develop = false;
  bool synchronous = false;  // in develop mode: a send ends when its receive has been called
  bool goes_on = false;      // without processes that it loses
  bool progress_thread = false;
  std::string record;                   // a file: whom each receive_any takes its message from is put into it
  std::optional<ReceiveRecord> replay;  // each is to take the same
  bool stacks = false;       // what processes do is told with the stacks of those that are not in the library
  GivenFaults faults;        // to be injected
  double patience_s = 0;     // a process that waits for longer makes the launcher tell what all do; 0: never
  double host_limit_s = 0;   // a host that is not heard of for so long is lost; 0: none
  double stall_limit_s = 0;  // a process that is stopped for so long is given up; 0: none
  GivenTuning tuning;
  std::function<void(const std::string& lines)> take_output;  // in place of this program's standard output
  double timeout_s = 0;                                       // 0: none
  double join_timeout_s = 0;                                  // from the first process that joins to the last; 0: none
};

class RunningJob final : public HostEvents {
 public:
  RunningJob(asio::io_context& loop, Warden& warden, JobPlan plan);
  ~RunningJob() override;

  // Returns the exit status of `cohort run`.
  int run();

 private:
  struct HostState {
    HostPlan plan;
    Machine machine;
    std::unique_ptr<LocalHost> here;  // on this host
    Host* link = nullptr;             // here, or in remote_
    int expected = 0;                 // processes that it has been told to start, or could
    int started = 0;
    int ended = 0;
    bool attached = false;
    bool lost = false;
    bool finished = false;
    bool suspended = false;
    std::uint32_t answered = 0;  // which question about broken links last
  };

  void heard(int host, v1::FromHost&& message) override;
  void lost(int host, const std::string& cause) override;

  void heard_of_process(HostState& host, v1::FromHost&& message);
  void add_replay(const HostPlan& host, v1::Start& order) const;
  void connect();
  void attached(HostState& host, const v1::Attached& message);
  void start();
  void output(int number, v1::Output& output);
  void output_taken(int number, std::size_t bytes);
  void started(HostState& host, Pid pid, std::int64_t process);
  void not_started(HostState& host, int status, const std::string& reason);
  void joining(Pid pid);
  void listens(Pid pid, ProcessAddress address);
  Host* reachable(int number);
  void measure_network();
  void describe_meeting(v1::BeMeasured& meeting) const;
  void measurable(const std::string& ip, std::uint32_t port);
  void measured(const v1::FromHost& message);
  int cores_in_common() const;  // 0 if the hosts are several machines
  void tell_table();
  void left(Pid pid);
  void ended(HostState& host, const v1::Ended& message);

  std::string name(Pid pid) const;
  const HostState& host_of(Pid pid) const;
  void tell_all(const v1::ToHost& message);
  void fail(Failure failure, int exit_status);
  bool lose(Failure failure, int exit_status);
  void fail_by_end(Pid pid, int wait_status, const std::string& ending, bool out_of_memory);
  std::string line_of(const Failure& failure);
  void blames(const v1::Blames& message);
  void closes(const v1::Closes& message);
  void give_up_closed(const v1::Closes& message);
  void suspects(Pid by, const process::v1::Suspect& suspect);
  void wait_for_verdict();
  void ask_for_deaths();
  void answered(HostState& host, std::uint32_t question);
  void judge_links(bool patient);
  void stalled(const v1::Stalled& message);
  void kill(Pid pid);
  void gone(const std::vector<Pid>& pids);
  void asks_survivors(Pid by, const process::v1::AskSurvivors& message);
  void tell(const Survivors::Answer& answer);
  bool goes_on() const { return plan_.goes_on && phases_.runs(); }
  void end_early(const EndedBy& reason, const std::string& line);
  void begin_to_end(const EndedBy& reason, const std::string& line);
  void escalate();
  void signal_all(int number);

  void wait_for_signals();
  void on_signal(int number);
  void suspend();
  void suspended(HostState& host);
  void on_timeout();
  void on_join_timeout();

  void mistaken(Pid pid, const std::string& what);
  void does(Pid pid, process::v1::Doing&& doing);
  void ask(Inquiry& inquiry, bool stacks, std::function<void()> then);
  void describe_processes(std::function<void()> then);
  void report_long_wait(Pid pid, const process::v1::Doing& doing);
  void say_what_processes_do(const std::string& headline);
  std::string job_line() const;
  std::string report() const;
  std::string describe_process(Pid pid, const Inquiry::Answers& answers) const;
  void blocked(Pid pid, const process::v1::Doing& doing);
  void look_for_deadlock();
  void judge_deadlock();
  void serve_status();

  void expect(const GivenFaults& faults);
  std::string inject(const std::string& faults);
  void injected(Pid pid, const process::v1::Injected& happened);
  void write_record() const;
  void report_faults();

  void finish_if_ended();
  void finish_if_all_hosts_did();
  void done();
  void close();

  enum class Measurement : std::uint8_t { none, wanted, begun, over };  // of the network between hosts

  asio::io_context& loop_;
  Warden& warden_;
  JobPlan plan_;
  Roster roster_;
  std::vector<ProcessAddress> addresses_;  // by pid
  std::map<Pid, Limit> closed_;  // have closed their control links, and not left: the time that each has to end
  std::uint64_t id_ = 0;
  Secret secret_{};

  Reaper reaper_;
  asio::signal_set signals_;
  Limit timeout_;
  Limit join_timeout_;
  Limit measurement_limit_;  // bounds how long the table waits for the network's measurement
  Limit drain_limit_;
  Limit suspend_limit_;
  Phases phases_;
  Escalation escalation_;
  AttendedTimer escalation_timer_;
  Output output_;
  Input input_;
  std::unique_ptr<RemoteHosts> remote_;
  std::vector<HostState> hosts_;  // destroyed before it: what runs here ends first
  ReceiveRecord receives_;
  JobRecord record_;

  const Clock::time_point begin_ = Clock::now();
  Inquiry inquiry_;
  std::uint64_t questions_ = 0;
  std::vector<std::function<void()>> when_described_;
  std::optional<Clock::time_point> long_wait_reported_;
  Inquiry deadlock_inquiry_;
  BrokenLinks accusations_;
  Blames blames_;
  std::optional<Pid> culprit_;  // whose mistake the job ends by, if it has not ended by it itself
  Survivors survivors_;
  Limit verdict_limit_;
  Inquiry::Answers last_said_;  // in develop mode: what each process did when it was last heard of
  asio::steady_timer deadlock_timer_;
  asio::steady_timer status_timer_;
  std::unique_ptr<StatusServer> status_;

  struct FaultReport {
    std::string description;
    std::map<Pid, std::uint64_t> times;  // by the process that has told
    double first_s = 0;
  };
  std::vector<FaultReport> fault_reports_;  // by number

  Measurement measurement_ = Measurement::none;
  std::set<std::string> warnings_;           // of the hosts, that have been told
  std::vector<std::string> lines_;           // for the end, on standard error
  std::optional<std::size_t> failure_line_;  // the one that sums up the failures
  std::uint32_t failures_ = 0;
};

}  // namespace cohort
