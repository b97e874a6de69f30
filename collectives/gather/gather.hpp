// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collectives/cost.hpp"

namespace cohort::gather {

Schedule recursive_split(const Problem& problem, Rank me);
Schedule binomial(const Problem& problem, Rank me);
Schedule linear(const Problem& problem, Rank me);
Schedule weighted_split(const Problem& problem, Rank me);

}  // namespace cohort::gather
