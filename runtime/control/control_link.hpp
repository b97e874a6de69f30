// A process's link to its agent: the socket that it inherited, length-prefixed protobuf on it. Generated types stay
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

// Whose mistake it is that a group has failed here, or that this process ends.
struct Blamed {
  enum class By : std::uint8_t { group, error, exception, longjmp };  // as in proto/process.proto
  Pid culprit = 0;
  std::string cause;
  By by = By::group;
};

class ControlLink {
 public:
  // The link that the launcher left for this process, or nullptr for a program that was run alone. Throws
  // Error(job) if the environment says there is one but it does not work.
  static std::unique_ptr<ControlLink> inherited();

  virtual ~ControlLink() = default;

  // What the process needs before it can open its listener.
  virtual const ListenAt& listen_at() const = 0;

  // Tells the agent where this process listens, and waits until every process of the job has done so (bounded by the
  // launcher, which ends the job if one is missing). Throws Error(job).
  virtual Job join(std::uint16_t port, std::uint64_t incarnation) = 0;

  // Whether a thread has to listen, as long as the process is in the job. Without one the link itself wakes the
  // transport when there is something for poll(), and nobody asks questions.
  virtual bool needs_listener() const { return true; }

  // The listener waits until the agent has said something, the alarm, a descriptor, can be read, the limit has passed,
  // or hush() is called.
  struct Heard {
    bool news = false;                      // for poll()
    std::optional<std::uint64_t> question;  // tell() answers it
    bool alarm = false;
    bool open = true;  // more may come
  };
  virtual Heard listen(std::chrono::nanoseconds, int /*alarm*/ = -1) { return {}; }
  virtual void hush() {}

  // What this process is doing. By any thread.
  virtual void tell(const Doing&) {}

  // Tells that the link to another process broke. Whether a failure follows is for poll() to say.
  virtual void suspect(Pid, const std::string& /*cause*/) {}

  // A mistake that the program made and no call could throw. Returns whether the launcher will say so.
  virtual bool tell_mistake(const std::string&) { return false; }

  virtual void tell(const Blamed&) {}

  // For the record of the job.
  virtual void tell_taken(const Taken&) {}

  // Tells of each failure that was heard of. Throws Error(job) if the agent is gone, Error(deadlock) if the launcher
  // has found that processes wait for one another for ever.
  virtual void poll(const std::function<void(const Failure&)>& failed) = 0;

  // Faults that were asked for since the last call: they count from now. And what has come of some.
  virtual std::vector<FaultPlan> asked_faults() { return {}; }
  virtual void tell(const InjectedFault&) {}

  // Kills or stops this process, as a fault says. A process that runs slowly is its agent's work, as is waking one that
  // is stopped.
  virtual void strike(const PlannedFault& fault);

  // Asks the launcher which members of a group live. The answer, after poll(): those who do not; null until it is
  // there.
  virtual void ask_survivors(const Survivors::Question&, const std::vector<Pid>& /*members*/) {}
  virtual const std::vector<Pid>* absent(const Survivors::Question&) const { return nullptr; }

  // Tells the agent that this process leaves the job in order. all_left() turns true (after poll()) when all the
  // others have said so too: from then on nobody sends anything any more.
  virtual void leave() = 0;
  virtual bool all_left() const = 0;
};

}  // namespace cohort
