// SPDX-License-Identifier: Apache-2.0
#include "tests/support/world.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>

#include "runtime/develop/develop_mode.hpp"
#include "runtime/runtime.hpp"
#include "runtime/transport/memory/memory_transport.hpp"
#include "runtime/transport/tcp/tcp_transport.hpp"
#include "runtime/wakeup.hpp"
#include "tests/support/borrowed.hpp"
#include "tests/support/one_core.hpp"
#include "tests/support/route_half.hpp"
#include "tests/support/shared_memory.hpp"
#include "tests/support/threads.hpp"

namespace cohort::testing {
namespace {

// What the launcher knows, for ranks that are threads: who has left, who has failed.
class Launcher {
 public:
  explicit Launcher(const World& world)
      : transports_(static_cast<std::size_t>(world.ranks)), broken_link_is_death_(world.broken_link_is_death) {}

  void enter(Pid me, Transport& transport) {
    const std::lock_guard lock(mutex_);
    transports_[static_cast<std::size_t>(me)] = &transport;
  }
  void leave(Pid me) {
    const std::lock_guard lock(mutex_);
    gone_.insert(me);
    keep(survivors_.gone({me}));
    wake_all();
  }
  void fail(Pid me, const std::string& cause) {
    const std::lock_guard lock(mutex_);
    transports_[static_cast<std::size_t>(me)] = nullptr;
    tell_all(me, cause);
  }
  void suspect(Pid me, Pid pid, const std::string& cause) {
    const std::lock_guard lock(mutex_);
    if (broken_link_is_death_ && !gone_.contains(pid) && !gone_.contains(me)) tell_all(pid, cause);
  }
  void gone(Pid me) {
    const std::lock_guard lock(mutex_);
    transports_[static_cast<std::size_t>(me)] = nullptr;
  }
  bool all_left() {
    const std::lock_guard lock(mutex_);
    return gone_.size() == transports_.size();
  }
  void ask_survivors(Pid me, const Survivors::Question& question, const std::vector<Pid>& members) {
    const std::lock_guard lock(mutex_);
    if (const auto answer = survivors_.asked(me, question, members)) keep({*answer});
    wake_all();
  }
  const std::vector<Pid>* gone(const Survivors::Question& question) {
    const std::lock_guard lock(mutex_);
    const auto found = answers_.find(question);
    return found == answers_.end() ? nullptr : &found->second;
  }
  std::vector<Failure> failures_from(std::size_t first) {
    const std::lock_guard lock(mutex_);
    return {failures_.begin() + static_cast<std::ptrdiff_t>(std::min(first, failures_.size())), failures_.end()};
  }

 private:
  void tell_all(Pid pid, const std::string& cause) {
    Failure failure;
    failure.number = static_cast<std::uint32_t>(failures_.size() + 1);
    failure.pid = pid;
    failure.words = cause;
    failures_.push_back(failure);
    gone_.insert(pid);
    keep(survivors_.gone({pid}));
    wake_all();
  }
  void keep(const std::vector<Survivors::Answer>& answers) {
    for (const Survivors::Answer& answer : answers) answers_[answer.question] = answer.gone;
  }
  void wake_all() {
    for (Transport* transport : transports_) {
      if (transport != nullptr) transport->wake();
    }
  }
  std::mutex mutex_;
  std::vector<Transport*> transports_;
  const bool broken_link_is_death_;
  std::vector<Failure> failures_;
  std::set<Pid> gone_;  // who have left, or are lost
  Survivors survivors_;
  std::map<Survivors::Question, std::vector<Pid>> answers_;
};

// What a rank's thread gets from those that run it.
struct Seat {
  Pause pause = [](Nanoseconds time) { std::this_thread::sleep_for(time); };
  std::function<void(const PlannedFault&)> strike = [](const PlannedFault&) {
    throw std::logic_error("a thread can't be killed or stopped");
  };
  bool listens = false;  // a watcher has the runtime let go of what its transport holds back
};

class ThreadControl : public ControlLink {
 public:
  ThreadControl(Launcher& launcher, Pid me, const Seat& seat) : launcher_(launcher), me_(me), seat_(seat) {
    if (seat.listens) hush_.emplace();
  }
  const ListenAt& listen_at() const override { return listen_at_; }
  Job join(std::uint16_t, std::uint64_t, const SharesMemory&) override { return {}; }
  bool needs_listener() const override { return hush_.has_value(); }
  Heard listen(Nanoseconds limit, int alarm) override {
    std::array<pollfd, 2> entries{{{hush_->descriptor(), POLLIN, 0}, {alarm, POLLIN, 0}}};
    ::poll(entries.data(), entries.size(),
           static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(limit).count()));
    Heard heard;
    heard.alarm = entries[1].revents != 0;
    heard.open = entries[0].revents == 0;
    return heard;
  }
  void hush() override {
    if (hush_) hush_->set();
  }
  void poll(const std::function<void(const Failure&)>& failed) override {
    for (const Failure& failure : launcher_.failures_from(seen_)) {
      ++seen_;
      failed(failure);
    }
  }
  void suspect(Pid pid, const std::string& cause) override { launcher_.suspect(me_, pid, cause); }
  void ask_survivors(const Survivors::Question& question, const std::vector<Pid>& members) override {
    launcher_.ask_survivors(me_, question, members);
  }
  const std::vector<Pid>* gone(const Survivors::Question& question) const override { return launcher_.gone(question); }
  void strike(const PlannedFault& fault) override { seat_.strike(fault); }
  void leave() override { launcher_.leave(me_); }
  bool all_left() const override { return launcher_.all_left(); }

 private:
  Launcher& launcher_;
  const Pid me_;
  const Seat& seat_;
  std::optional<detail::Wakeup> hush_;
  std::size_t seen_ = 0;
  const ListenAt listen_at_{"127.0.0.1"};
};

std::string host_of(const World& world, Pid pid) {
  std::size_t host = 0;
  for (Pid last = 0; host < world.on_hosts.size(); ++host) {
    last += world.on_hosts[host];
    if (pid < last) break;
  }
  return fmt::format("host{}", host);
}

Job job_for(const World& world, Pid me) {
  Job job;
  job.id = 1;
  job.me = me;
  job.processes.resize(static_cast<std::size_t>(world.ranks));
  for (Pid pid = 0; pid < world.ranks; ++pid) job.processes[static_cast<std::size_t>(pid)].host = host_of(world, pid);
  job.cores = world.kind == Kind::simulated ? 0 : 2;  // nobody spins in virtual time
  job.crowded = world.ranks > job.cores;
  job.barrier = world.barrier;
  job.develop = world.develop;
  job.synchronous = world.synchronous;
  job.faults = world.faults;
  job.host_limit = world.host_limit;
  job.goes_on = world.goes_on;
  job.credit = world.credit;
  job.progress_thread = world.progress_thread;
  job.tuning = world.tuning;
  return job;
}

using Program = std::function<void(detail::Runtime& runtime, const Pause& pause)>;

void run_rank(Job job, Transport& transport, Launcher& launcher, const Seat& seat, const Program& program) {
  const Pid me = job.me;
  launcher.enter(me, transport);
  try {
    std::unique_ptr<detail::Mode> mode = detail::mode_for(job);
    const auto runtime =
        std::make_shared<detail::Runtime>(std::move(job), std::make_unique<Borrowed>(transport),
                                          std::make_unique<ThreadControl>(launcher, me, seat), std::move(mode));
    program(*runtime, seat.pause);
    runtime->leave();
    launcher.gone(me);
  } catch (const Killed&) {
    launcher.fail(me, "was killed");
    throw;
  } catch (const std::exception& error) {
    launcher.fail(me, std::string("threw: ") + error.what());
    throw;
  }
}

std::vector<std::unique_ptr<Transport>> make_tcp_transports(const World& world) {
  std::vector<TcpListener> listeners;
  std::vector<ProcessAddress> addresses;
  for (Pid pid = 0; pid < world.ranks; ++pid) {
    listeners.emplace_back(ListenAt{"127.0.0.1"});
    addresses.push_back(
        {host_of(world, pid), "127.0.0.1", listeners.back().port(), 1000u + static_cast<unsigned>(pid)});
  }
  std::vector<std::unique_ptr<Transport>> transports;
  for (Pid me = 0; me < world.ranks; ++me) {
    Job job = job_for(world, me);
    job.processes = addresses;
    transports.push_back(make_tcp_transport(job, std::move(listeners[static_cast<std::size_t>(me)])));
  }
  return transports;
}

void run_with_watchers(const World& world, std::vector<std::unique_ptr<Transport>> transports, Launcher& launcher,
                       const Program& program) {
  run_in_threads(world.ranks, [&](Pid me) {
    run_rank(job_for(world, me), *transports[static_cast<std::size_t>(me)], launcher, {.listens = true}, program);
  });
}

Nanoseconds run_everywhere(const World& world, const Program& program) {
  Launcher launcher(world);
  const auto begin = std::chrono::steady_clock::now();
  switch (world.kind) {
    case Kind::memory: {
      const auto transports = make_memory_transports(world.ranks);
      run_in_threads(world.ranks, [&](Pid me) {
        run_rank(job_for(world, me), *transports[static_cast<std::size_t>(me)], launcher, {}, program);
      });
      break;
    }
    case Kind::simulated: {
      TransportSimulation simulation(world.ranks, world.network);
      for (const PlannedFault& fault : world.faults.faults) {
        if (fault.of_process() && fault.trigger == FaultTrigger::time)
          simulation.strike(fault, to_nanoseconds(fault.at_s));
      }
      const OneCore one_core;
      simulation.run([&](Pid me, Transport& transport) {
        const Seat seat{.pause = [&](Nanoseconds time) { simulation.pause(me, time); },
                        .strike = [&](const PlannedFault& fault) { simulation.strike(fault); }};
        run_rank(job_for(world, me), transport, launcher, seat, program);
      });
      return simulation.now();
    }
    case Kind::shared: {
      const auto transports = make_shared_transports(world.ranks, world.ranks);
      run_in_threads(world.ranks, [&](Pid me) {
        run_rank(job_for(world, me), *transports[static_cast<std::size_t>(me)], launcher, {}, program);
      });
      break;
    }
    case Kind::tcp:
      run_with_watchers(world, make_tcp_transports(world), launcher, program);
      break;
    case Kind::routed:
      run_with_watchers(world, route_half(make_memory_transports(world.ranks), make_tcp_transports(world)), launcher,
                        program);
      break;
  }
  return std::chrono::steady_clock::now() - begin;
}

}  // namespace

std::string to_string(Kind kind) {
  switch (kind) {
    case Kind::memory:
      return "memory";
    case Kind::tcp:
      return "tcp";
    case Kind::simulated:
      return "simulated";
    case Kind::shared:
      return "shared";
    case Kind::routed:
      return "routed";
  }
  return "?";
}

void run_runtimes(const World& world, const std::function<void(detail::Runtime&)>& program) {
  run_everywhere(world, [&](detail::Runtime& runtime, const Pause&) { program(runtime); });
}

Nanoseconds run(const World& world, const std::function<void(Process& self, const Pause& pause)>& program) {
  return run_everywhere(world, [&](detail::Runtime& runtime, const Pause& pause) {
    Process self(runtime.shared_from_this());
    program(self, pause);
    self.leave();
  });
}

Nanoseconds run(const World& world, const std::function<void(Process& self)>& program) {
  return run(world, [&](Process& self, const Pause&) { program(self); });
}

void run_all(const World& world, const std::function<void(const Group& all)>& program) {
  run(world, [&](Process& self) { program(self.all()); });
}

}  // namespace cohort::testing
