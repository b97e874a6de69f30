// Who is given up although nothing says that it has ended: a process that has closed its control link and goes on, and
// one end of a broken link. For some time a death may still explain it. No I/O: events in, decisions out.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "launcher/deadline.hpp"
#include "launcher/job/broken_links.hpp"
#include "launcher/job/roster.hpp"

namespace cohort {

// A process has closed its control link, or has ended below a shell that goes on, and has not left the job.
struct Closing {
  Pid pid = 0;
  bool ended = false;
  std::optional<int> wait_status{};  // if it is known how
  bool out_of_memory = false;
};

class Verdicts {
 public:
  // By pid: the number of its host.
  explicit Verdicts(std::vector<int> host_of);

  void closes(const Closing& closing, Attended now);
  bool has_closed(Pid pid) const { return closings_.contains(pid); }

  void suspects(Pid by, Pid of, std::string cause, Attended now);

  // A host has told of all deaths up to this question.
  void answered(int host, std::uint32_t question);

  std::optional<Deadline> deadline() const;

  // A process whose time to end is up, each once.
  std::optional<Closing> take_closing(Attended now);

  // Whether the accusations have waited long enough; their time then begins again. They are to be judged, and all hosts
  // asked about deaths if any are left.
  bool take_time_up(Attended now);
  std::optional<std::uint32_t> ask() { return accusations_.ask(); }

  // An accusation that costs the job the process `of`. Call it again when that process is lost. A patient judge waits
  // for a host that has not answered: the host may be lost.
  std::optional<Accusation> judge(const Roster& roster, bool patient);

  // The job ends: nobody is given up any more.
  void stop();

 private:
  struct Open {
    Closing closing;
    std::optional<Deadline> deadline;  // none: it has passed
  };

  std::vector<int> host_of_;
  std::vector<std::uint32_t> answered_;  // by host: the last question
  std::map<Pid, Open> closings_;
  BrokenLinks accusations_;
  std::optional<Deadline> verdict_;
};

}  // namespace cohort
