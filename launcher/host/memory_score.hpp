// SPDX-License-Identifier: Apache-2.0
// When memory runs out, the kernel should kill a process of the job, not the launcher or an agent, which must report
// the death. The kernel chooses by a process's memory and by an inherited score.
#pragma once

namespace cohort {

// Keeps other processes of the same user from reading this process's memory, which holds the job's secrets, and
// disables core dumps. After that the process can't open its own score file, so this function opens the file first.
void hide_memory();

// While an object lives, this process's children start with a raised score (`oom_score_adj`). The raise is worth a
// tenth of all memory of the machine or the control group: from 256 MiB on, that is more than a launcher uses. The
// score stays unchanged if it is below 0 (protected), above 900 (to be killed first), or if there is no /proc.
class RaisedMemoryScore {
 public:
  RaisedMemoryScore();
  ~RaisedMemoryScore();
  RaisedMemoryScore(const RaisedMemoryScore&) = delete;

 private:
  int before_ = -1;  // the score before; -1: not raised
};

}  // namespace cohort
