// SPDX-License-Identifier: Apache-2.0
// Whether a fitted network is to be believed, from measured times by the model's.
#pragma once

#include <string>
#include <vector>

namespace cohort {

struct CheckedTime {
  std::string place;  // "within_host" or "between_hosts"
  std::string what;   // "combine of 8 B"
  double ratio = 0;   // measured by predicted
};

struct Verdict {
  bool believable = true;
  std::string words;  // a sentence or more for each place
};

// The model compares algorithms, so a common factor does no harm: ratios are to be alike. The lowest tenth and the
// highest do not count: a single time may be bad luck.
Verdict verdict_on(const std::vector<CheckedTime>& checks);

}  // namespace cohort
