// Whom the kernel kills where memory runs out: a process of the job before the launcher or an agent, which has to say
// so. It goes by what a process takes, and by a score that is inherited.
#pragma once

namespace cohort {

// Nobody of the same user may look into this process, and it leaves no core dump: the job's secrets are in its memory.
// Such a process may not open its own score, so that happens here, before.
void hide_memory();

// As long as it lives, the score is raised that this process's children begin with (`oom_score_adj`): by a tenth of all
// memory, the machine's or the control group's, which is more than a launcher takes where there are 256 MiB. Not where
// somebody has protected this process (below 0) or named it to go first (above 900), nor where there is no /proc.
class RaisedMemoryScore {
 public:
  RaisedMemoryScore();
  ~RaisedMemoryScore();
  RaisedMemoryScore(const RaisedMemoryScore&) = delete;

 private:
  int before_ = -1;  // or it is not raised
};

}  // namespace cohort
