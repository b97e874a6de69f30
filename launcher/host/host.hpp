// SPDX-License-Identifier: Apache-2.0
// One host's part of a job, as the launcher sees it. There are two implementations: HostShell does the work in this
// process, RemoteHost passes it on to an agent. Both use the messages of proto/control.proto.
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

  // Never blocks. Drops messages to a host that is lost.
  virtual void tell(const v1::ToHost& message) = 0;
};

// Called from the event loop, never from within Host::tell().
class HostListener {
 public:
  virtual ~HostListener() = default;

  virtual void heard(int host, v1::FromHost&& message) = 0;

  // The host can't be reached, or no longer. Called at most once for a host. heard() is not called for it afterwards.
  virtual void lost(int host, const std::string& cause) = 0;
};

}  // namespace cohort
