// Who is killed when memory runs out: a process of the job before the launcher or an agent, which must report the
// death. The kernel goes by a process's memory and by an inherited score.
#pragma once

namespace cohort {

// Keeps other processes of the same user from reading this process's memory, which holds the job's secrets, and
// disables core dumps. Such a process may no longer open its own score: this function opens it before.
void hide_memory();

// While an object lives, this process's children begin with a raised score (`oom_score_adj`). It is raised by a tenth
// of all memory, of the machine or of the control group: more than a launcher takes from 256 MiB on. It stays as it is
// if somebody has protected this process (below 0) or named it to go first (above 900), or if there is no /proc.
class RaisedMemoryScore {
 public:
  RaisedMemoryScore();
  ~RaisedMemoryScore();
  RaisedMemoryScore(const RaisedMemoryScore&) = delete;

 private:
  int before_ = -1;  // or it is not raised
};

}  // namespace cohort
