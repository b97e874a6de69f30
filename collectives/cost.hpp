// Communication cost in elements, single-ported full duplex, as in CCL: counted from the schedules of all ranks, and in
// closed form where there is one.
#pragma once

#include "collectives/problem.hpp"

namespace cohort {

struct Algorithm;

struct Cost {
  Count rounds = 0;  // C1: rounds in which somebody sends
  Count volume = 0;  // C2: the sum over the rounds of the longest message
  Count total = 0;   // C3: the sum of all messages

  friend bool operator==(const Cost&, const Cost&) = default;
};

// Where all ranks see the same problem.
Cost counted_cost(const Algorithm& algorithm, const Problem& problem);

// The closed forms hold where no vector or block is empty, and where vectors divide evenly into their blocks.
namespace costs {

Cost tree(const Problem& problem);                // whole vectors along a tree of depth ceil(log2 p)
Cost circulant_pipeline(const Problem& problem);  // blocks on the circulant graph, to or from one rank
Cost tree_and_pipeline(const Problem& problem);   // one after the other
Cost chain(const Problem& problem);               // blocks along a chain
Cost doubling(const Problem& problem);            // Hillis and Steele's prefix
Cost few_rounds(const Problem& problem);          // every rank's block to every rank, in ceil(log2 p) rounds
Cost direct(const Problem& problem);              // the same in p - 1 rounds
Cost combine_circulant(const Problem& problem);
Cost shift(const Problem& problem);
Cost sync(const Problem& problem);

}  // namespace costs
}  // namespace cohort
