// One host's part of a job, as the launcher sees it. Two siblings: HostShell does the work in this process, RemoteHost
// passes it on to an agent. The messages are those of proto/control.proto in both cases.
#pragma once

#include <string>

namespace cohort::v1 {
class ToHost;
class FromHost;
class Attached;
class BeMeasured;
class Blames;
class Closes;
class Ended;
class Output;
class Start;
class Stalled;
}  // namespace cohort::v1

namespace cohort {

class Host {
 public:
  virtual ~Host() = default;

  // Never blocks. What a host that is lost is told goes nowhere.
  virtual void tell(const v1::ToHost& message) = 0;
};

// Called from the event loop, never from within Host::tell().
class HostListener {
 public:
  virtual ~HostListener() = default;

  virtual void heard(int host, v1::FromHost&& message) = 0;

  // The host can't be reached, or no longer. Called once for a host, and nothing of it is heard afterwards.
  virtual void lost(int host, const std::string& cause) = 0;
};

}  // namespace cohort
