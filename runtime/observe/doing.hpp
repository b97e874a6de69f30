// SPDX-License-Identifier: Apache-2.0
// What a process is doing, for users who ask and for the launcher's search for deadlocks. proto/process.proto explains
// the fields.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cohort/types.hpp"
#include "runtime/transport/frame.hpp"

namespace cohort {

struct Doing {
  // Longer lists are cut off, and marked `partial`.
  static constexpr std::size_t most_calls = 128;
  static constexpr std::size_t most_awaited = 256;
  static constexpr std::size_t most_others = 4096;  // peers, groups

  struct Awaited {
    Pid pid = 0;
    Rank rank = 0;
    bool out = false;
    bool standing = false;
  };
  struct Call {
    Operation operation = Operation::sync;
    GroupId group;
    Rank rank = 0;
    Channel channel = Channel::user;
    std::uint64_t number = 0;
    std::string algorithm;
    std::size_t round = 0;
    std::uint32_t tag = 0;
    std::string where;
    std::vector<Awaited> awaited;
    bool partial = false;
    bool any = false;

    void add(const Awaited& message);
  };
  struct Wait {
    std::uint64_t number = 0;
    double seconds = 0;
    std::vector<std::uint32_t> calls;
    std::string what;
    bool partial = false;
  };
  struct Traffic {
    Pid pid = 0;
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
  };
  struct Calls {
    GroupId group;
    std::uint64_t number = 0;
  };
  enum class Reason : std::uint8_t { asked, blocked, impatient };

  Reason reason = Reason::asked;
  std::uint64_t question = 0;
  std::vector<Call> calls;
  std::vector<Wait> waits;
  double away_s = 0;
  bool left = false;

  // In develop mode.
  std::uint64_t entries = 0;
  std::uint32_t threads = 0;
  std::vector<Traffic> traffic;
  std::vector<Calls> groups;
  std::string lists;
  bool partial = false;
};

}  // namespace cohort
