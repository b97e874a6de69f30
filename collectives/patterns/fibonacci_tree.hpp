// SPDX-License-Identifier: Apache-2.0
// The Fibonacci tree: the fastest broadcast of one message if sending keeps a rank busy for s, and the receiver has the
// message r after that (the postal model, LogP). At time t, f(t) = f(t - s) + f(t - s - r) ranks can have it, with f(t)
// = 1 for t < s + r. Every rank that has it sends it on as long as the receivers can still help. s = 1 and r = 0 give a
// binomial tree, s = r = 1 the Fibonacci numbers, r much greater than s a star. Played backward it gathers as fast.
//
// Source: Cordsen, Pohl and Schroeder-Preikschat 1997; Bar-Noy and Kipnis 1994. The paper's program has a wrong
// recurrence (pop[i - r], which places too few ranks); its text has the right one. If p is less than f(t), the ranks
// that would be reached last are left out, as in the paper. Ours: each message hands on a part of the sender's range of
// ranks, on the side that has more, so that subtrees are ranges with any root. That works because no part is more than
// half of a range.
#pragma once

#include "collectives/cost.hpp"
#include "collectives/patterns/tree.hpp"

namespace cohort {

struct PostalTimes {
  Count gap = 1;      // s, 1 or more
  Count latency = 0;  // r
};

// The parameters "s" and "r", or times in the network's proportions for a message of so many elements. Without latency
// they give a binomial tree.
PostalTimes postal_times(const Problem& problem, Count elements);

// A round is as long as a send, so every rank sends at most once in it. The table of f takes a few microseconds if both
// times are near 100. Common divisors do not matter.
Tree fibonacci_tree(Rank ranks, Rank root, Rank me, PostalTimes times);

// The first time t with f(t) >= ranks, in the unit of the postal times: the end of a broadcast along the tree.
Count fibonacci_end(Rank ranks, PostalTimes times);

// The number of rounds whose latencies overlap with sends of other ranks. Without these latencies the broadcast takes
// fibonacci_end(), rounded to the nearest latency. The tree's depth does not give this number: the ranks that are
// reached last are not those with the most levels above them.
Count fibonacci_overlap(Rank ranks, PostalTimes times);

// The cost of a broadcast or reduction of the whole vector along it.
Cost fibonacci_cost(const Problem& problem);

}  // namespace cohort
