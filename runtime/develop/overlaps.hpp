// With --synchronous: which messages were sent before a collective that both ends are in, and received after it? CCL
// wants none (section 3.2). It is told of, and is no error: a send that was started needs no buffer.
//
// Both ends have called the same collectives together, so it is a comparison of two counts. Calls of several threads
// have no order that the program gives them: where a second one calls, nothing is told any more.
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

  // How many collectives both have called, plus 1; 0: that is not known.
  std::uint64_t calls_with(Pid pid);

  // The collectives between a message's two ends, by what calls_with() said at each: "sync #2 on group (0,0) (called at
  // loop.cpp:9)"; empty if there is none, or if it was told of for these two lines.
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
