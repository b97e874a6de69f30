// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/memory_score.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace cohort {
namespace {

constexpr const char* score_file = "/proc/self/oom_score_adj";
constexpr int most = 1000;  // thousandths of all memory
constexpr int raise = 100;

int score_descriptor = -1;

bool write_score(int score) {
  const std::string text = std::to_string(score);
  return ::write(score_descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

}  // namespace

void hide_memory() {
  if (score_descriptor < 0) score_descriptor = ::open(score_file, O_WRONLY | O_CLOEXEC);
  ::prctl(PR_SET_DUMPABLE, 0);
}

RaisedMemoryScore::RaisedMemoryScore() {
  int score = -1;
  std::ifstream(score_file) >> score;
  if (score >= 0 && score + raise <= most && write_score(score + raise)) before_ = score;
}

RaisedMemoryScore::~RaisedMemoryScore() {
  if (before_ >= 0) write_score(before_);
}

}  // namespace cohort
