// SPDX-License-Identifier: Apache-2.0
// The registry's promises for an algorithm, as properties that are tried for one number of ranks at a time. The tests
// and `cohort verify` loop over all of them.
#pragma once

#include <optional>
#include <string>

#include "collectives/verifier.hpp"
#include "collectives/verifier/cases.hpp"

namespace cohort::verifier {

// How many cases are usually tried for one number of ranks: all for few ranks; for more ranks as many as end in time.
// The cases differ from one number of ranks to the next.
std::size_t usual_cases(const Algorithm& algorithm, Rank ranks);

class Properties {
 public:
  // `algorithm` must outlive this object.
  explicit Properties(const Algorithm& algorithm) : algorithm_(algorithm) {}

  // Each property returns a counterexample, or nothing; `most` is as in for_each_case().

  // The result is the one that the operation specifies, under every delivery rule.
  std::optional<std::string> result(Rank ranks, std::size_t most);

  // In barrier mode the result is the same, and no rank completes before all have started.
  std::optional<std::string> barrier(Rank ranks, std::size_t most);

  // Every message is received in the round in which it is sent. A rank sends to one rank and receives from one, unless
  // the registry says that the algorithm is multi-ported.
  std::optional<std::string> rounds(Rank ranks, std::size_t most);

  // The closed form of the cost is what the schedules cost. Tries even_problems(), at least one, until their effort is
  // more than `most_effort`; begins with different ones for different numbers of ranks. Leaves out problems that would
  // take many seconds. The effort is the rounds or the messages of all ranks together, times the number of ranks if a
  // schedule takes that many steps to make.
  std::optional<std::string> cost(Rank ranks, Count most_effort);
  static constexpr Count usual_effort = 200'000;
  static constexpr Count too_much_effort = 40'000'000;

  std::size_t cases() const { return cases_; }  // tried so far

 private:
  using Check = std::function<std::optional<std::string>(std::span<const Problem> ranks)>;
  std::optional<std::string> each(Rank ranks, std::size_t most, const Check& check);
  std::uint64_t next_seed();

  const Algorithm& algorithm_;
  Verifier verifier_;
  std::size_t cases_ = 0;
};

}  // namespace cohort::verifier
