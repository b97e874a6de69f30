// A process's link to its agent: the socket that it inherited, length-prefixed protobuf on it. Generated types stay
// behind this header.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "runtime/job.hpp"

namespace cohort {

class ControlLink {
 public:
  // The link that the launcher left for this process, or nullptr for a program that was run alone. Throws
  // Error(job) if the environment says there is one but it does not work.
  static std::unique_ptr<ControlLink> inherited();

  virtual ~ControlLink() = default;

  // What the process needs before it can open its listener: the address to listen on (an interface of this host),
  // numeric.
  virtual const std::string& listen_on() const = 0;

  // Tells the agent where this process listens, and waits until every process of the job has done so (bounded by the
  // launcher, which ends the job if one is missing). Throws Error(job).
  virtual Job join(std::uint16_t port, std::uint64_t incarnation) = 0;

  // For Transport::watch(); negative where the link has none and wakes the transport itself.
  virtual int descriptor() const = 0;

  // Reads what has arrived, without waiting, and tells of each failure. Throws Error(job) if the agent is gone.
  virtual void poll(const std::function<void(const Failure&)>& failed) = 0;

  // Tells the agent that this process leaves the job in order. all_left() turns true (after poll()) when all the
  // others have said so too: from then on nobody sends anything any more.
  virtual void leave() = 0;
  virtual bool all_left() const = 0;
};

}  // namespace cohort
