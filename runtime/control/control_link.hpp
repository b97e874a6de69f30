// SPDX-License-Identifier: Apache-2.0
// A process's link to its agent: an inherited socket with length-prefixed protobuf messages. Generated types stay
// behind this header.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cohort/failure.hpp"
#include "groups/survivors.hpp"
#include "runtime/job.hpp"
#include "runtime/observe/doing.hpp"

namespace cohort {

// Which process is to blame that a group has failed here, or that this process ends.
struct Blamed {
  enum class By : std::uint8_t { group, error, exception, longjmp, abort };  // as in proto/process.proto
  Pid culprit = 0;
  std::string cause;
  By by = By::group;
  std::vector<Pid> members{};  // for abort: who ends with this process; empty: the whole job
};

// Whether a process has mapped the memory of its host, or why not, although it was to.
struct SharesMemory {
  bool yes = false;
  std::string failure{};
};

class ControlLink {
 public:
  // The link that the launcher left for this process, or nullptr for a program that was started alone. Throws
  // Error(job) if the environment names a link that does not work.
  static std::unique_ptr<ControlLink> inherited();

  virtual ~ControlLink() = default;

  // Where the process is to open its listener.
  virtual const ListenAt& listen_at() const = 0;

  // The memory of this host that the agent offers: descriptors for HostMemory::adopt(), which are the caller's now.
  // Once.
  struct Offer {
    std::vector<int> descriptors;
    std::size_t places = 0;
    std::string failure{};  // without descriptors: why there are none; empty if none were asked for
  };
  virtual Offer take_memory() { return {}; }
  // Whether the user asks for this transport and no other.
  virtual bool wants_memory() const { return false; }

  // Tells the agent where this process listens, and waits until every process of the job has done so. The launcher
  // bounds the wait: it ends the job if a process is missing. Throws Error(job).
  virtual Job join(std::uint16_t port, std::uint64_t incarnation, const SharesMemory& memory = {}) = 0;

  // Whether a thread has to call listen() while the process is in the job. If not, the link itself wakes the transport
  // when there is something for poll(), and nobody asks questions.
  virtual bool needs_listener() const { return true; }

  // Waits until the agent has sent something, the descriptor `alarm` is readable, the limit has passed, or hush() is
  // called.
  struct Heard {
    bool news = false;                      // for poll()
    std::optional<std::uint64_t> question;  // for tell(const Doing&) to answer
    bool alarm = false;
    bool open = true;  // whether more messages may come
  };
  virtual Heard listen(std::chrono::nanoseconds, int /*alarm*/ = -1) { return {}; }
  virtual void hush() {}

  // Reports what this process is doing. By any thread.
  virtual void tell(const Doing&) {}

  // Reports that the link to another process broke. If the launcher decides that it failed, poll() says so.
  virtual void suspect(Pid, const std::string& /*cause*/) {}

  // Reports a mistake of the program that no call could throw. Returns whether the launcher will print it.
  virtual bool tell_mistake(const std::string&) { return false; }

  virtual void tell(const Blamed&) {}

  // Reports a receive_any's source, for the record of the job.
  virtual void tell_taken(const Taken&) {}

  // Calls `failed` for each failure that was reported since the last call. Throws Error(job) if the agent is gone, and
  // Error(deadlock) if the launcher has found that processes wait for one another for ever.
  virtual void poll(const std::function<void(const Failure&)>& failed) = 0;

  // Returns the faults that were asked for since the last call: their times count from now. tell() reports injected
  // faults.
  virtual std::vector<FaultPlan> asked_faults() { return {}; }
  virtual void tell(const InjectedFault&) {}

  // Kills or stops this process, as the fault says. The agent slows a process down, and wakes a stopped one.
  virtual void strike(const PlannedFault& fault);

  // Asks the launcher which members of a group live. poll() receives the answer: gone() returns the members that do
  // not live, or null until the answer is there.
  virtual void ask_survivors(const Survivors::Question&, const std::vector<Pid>& /*members*/) {}
  virtual const std::vector<Pid>* gone(const Survivors::Question&) const { return nullptr; }

  // Tells the agent that this process leaves the job in order. After all others have done so, too, poll() makes
  // all_left() true: from then on nobody sends anything.
  virtual void leave() = 0;
  virtual bool all_left() const = 0;
};

}  // namespace cohort
