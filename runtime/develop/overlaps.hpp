// SPDX-License-Identifier: Apache-2.0
// With --synchronous: finds messages that were sent before a collective of both ends, and received after it. CCL
// forbids them (section 3.2). Here they cause a warning and no error, because a started send needs no buffer.
//
// Both ends have called the same collectives together, so the check compares two counts. The calls of several threads
// have no order that the program gives them: when a second thread calls, warnings end.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "groups/members.hpp"

namespace cohort::detail {

class Overlaps {
 public:
  void called(const Members& members, const std::string& collective);

  // The number of collectives that both processes have called, plus 1; 0 if it is not known.
  std::uint64_t calls_with(Pid pid);

  // Names the collectives between a message's two ends, from the values of calls_with() at each: "sync #2 on group
  // (0,0) (called at loop.cpp:9)". Empty if there is none, or if these two lines have had a warning.
  std::string between(Pid sender, std::uint64_t sent, std::uint64_t received, const std::string& sent_at,
                      const std::string& received_at);

 private:
  bool of_one_thread();

  struct Called {
    std::uint64_t calls = 0;
    std::string latest;
  };
  std::map<Pid, Called> with_;
  std::set<std::pair<std::string, std::string>> told_;
  std::thread::id thread_;
  bool several_threads_ = false;
};

}  // namespace cohort::detail
