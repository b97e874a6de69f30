// One process of the job on this host, as far as it has come.
#pragma once

#include <cstdint>
#include <optional>

#include "cohort/types.hpp"
#include "proto/process.pb.h"

namespace cohort {

struct LocalProcess {
  enum class Stage : std::uint8_t {
    started,  // it has not said hello
    member,   // of the job
    bereft,   // the process that had joined has ended, below this one, which goes on
    left,     // it has said that it leaves
    ended,
  };

  Pid pid = 0;
  Stage stage = Stage::started;
  int open_streams = 2;                       // of its output
  std::optional<process::v1::Doing> doing{};  // an answer that waits for the stack

  bool runs() const { return stage != Stage::ended; }
  bool greeted() const { return runs() && stage != Stage::started; }
};

}  // namespace cohort
