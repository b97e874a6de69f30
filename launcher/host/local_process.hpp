// SPDX-License-Identifier: Apache-2.0
// One process of the job on this host, with its stage.
#pragma once

#include <cstdint>
#include <optional>

#include "cohort/types.hpp"
#include "proto/process.pb.h"

namespace cohort {

struct LocalProcess {
  enum class Stage : std::uint8_t {
    started,  // has not said hello
    member,   // has joined the job
    bereft,   // a shell, whose child had joined the job and has ended
    left,     // has left the job
    ended,
  };

  Pid pid = 0;
  Stage stage = Stage::started;
  int open_streams = 2;                       // standard output and error
  std::optional<process::v1::Doing> doing{};  // an answer that waits for the stack

  bool runs() const { return stage != Stage::ended; }
  bool greeted() const { return runs() && stage != Stage::started; }
};

}  // namespace cohort
