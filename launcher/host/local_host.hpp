// The work of one host: starts its processes, passes on what they say and write, kills what they leave. The launcher
// uses it directly for its own host, and `cohort agent` on the others.
#pragma once

#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/steady_timer.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "launcher/host/host.hpp"
#include "launcher/host/input_pipe.hpp"
#include "launcher/host/limit.hpp"
#include "launcher/host/local_process.hpp"
#include "launcher/host/memory_kills.hpp"
#include "launcher/host/orphans.hpp"
#include "launcher/host/process_faults.hpp"
#include "launcher/host/reaper.hpp"
#include "launcher/host/warden.hpp"
#include "launcher/network/link_meter.hpp"

namespace cohort::process::v1 {
class Doing;
class Faults;
class Injected;
}  // namespace cohort::process::v1

namespace cohort::v1 {
class Start;
class Took;
}  // namespace cohort::v1

namespace cohort {

struct SpawnOrder;

class LocalHost final : public Host {
 public:
  struct Settings {
    int number = 0;      // of the host in the job
    std::string name;    // as the user calls it
    ListenAt listen_at;  // its processes
  };

  // All references must outlive it, and the loop must not run any more when it is destroyed.
  LocalHost(asio::io_context& loop, Reaper& reaper, Warden& warden, HostEvents& events, Settings settings);
  ~LocalHost() override;  // kills what still runs: the launcher is gone, or has failed

  void tell(const v1::ToHost& message) override;

 private:
  void emit(v1::FromHost message);

  void start(const v1::ToHost& message);
  void prepare_welcome(const v1::Start& job);
  void start_process(SpawnOrder& order, LocalProcess& process, int null_input);
  void refuse_start(int status, const std::string& reason);
  void hear_spawn_errors(int descriptor);
  void read_spawn_errors();

  void hear(LocalProcess& process, const process::v1::FromProcess& message);
  void welcome(LocalProcess& process, const std::string& version);
  void refuse(LocalProcess& process, const std::string& reason);
  void watch_member(LocalProcess& process);
  void look_at(LocalProcess& process);
  void closed(LocalProcess& process, bool ended);
  void begin_faults();
  void inject(const process::v1::Faults& faults);
  void hear_injected(const LocalProcess& process, const process::v1::Injected& happened);
  void tell_injected(Pid pid, const InjectedFault& happened);
  LocalProcess* find(Pid pid);
  void tell_processes(const process::v1::ToProcess& message);

  LineReader::Handler lines_of(Pid pid, bool error);
  void output_taken(std::uint64_t bytes);
  void ended(LocalProcess& process, int wait_status);
  void forget_if_gone(LocalProcess& process);
  void signal(int number);
  void signal(LocalProcess& process, int number);
  void watch_for_stalls();
  void look_for_stalls();
  void look_at_memory();
  void look_for_other_mpi(const std::string& library);
  void look_for_other_mpi();
  void kill_all();
  void be_measured(const v1::ToHost& message);
  void measure(const v1::ToHost& message);
  void measured(const std::optional<Network>& network);
  void ask(const v1::ToHost& message);
  void hear_doing(LocalProcess& process, const process::v1::FromProcess& message);
  void tell_doing(Pid pid, const process::v1::Doing& doing);
  void finish();
  void finish_if_quiet();

  asio::io_context& loop_;
  Reaper& reaper_;
  Warden& warden_;
  HostEvents& events_;
  Settings settings_;
  std::string program_;                              // for messages
  std::unique_ptr<process::v1::ToProcess> welcome_;  // what all of them are told
  std::vector<v1::Took> replay_;
  std::vector<SharedFrame> failures_;   // for those that have not joined yet
  std::deque<LocalProcess> processes_;  // by pid - first pid; addresses stay
  std::optional<Orphans> orphans_;
  std::optional<InputPipe> input_;
  ProcessFaults faults_;
  asio::posix::stream_descriptor spawn_errors_;
  Limit quiet_;  // runs while output is awaited from what outlived its process group
  asio::steady_timer stall_timer_;
  double stall_limit_s_ = 0;
  struct {
    unsigned looks = 0;  // for processes of it
    bool told = false;
  } other_mpi_;
  bool suspended_ = false;          // the job has stopped its processes
  std::size_t unacknowledged_ = 0;  // bytes of output
  std::unique_ptr<LinkMeter> meter_;
  std::optional<MemoryDeaths> memory_deaths_;
  bool stacks_wanted_ = false;  // by the last question
  enum class End : std::uint8_t { none, wanted, reported } end_ = End::none;
};

}  // namespace cohort
