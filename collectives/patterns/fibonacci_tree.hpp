// The Fibonacci tree: the fastest broadcast of one message where sending keeps a rank busy for s, and the receiver has
// the message r after that (the postal model, LogP). f(t) = f(t - s) + f(t - s - r) ranks can know it at time t, with
// f(t) = 1 for t < s + r; a rank passes it on as long as that helps. s = 1 and r = 0 give a binomial tree, s = r = 1
// the Fibonacci numbers, r much greater than s a star. Played backward it gathers as fast.
//
// Source: Cordsen, Pohl and Schroeder-Preikschat 1997; Bar-Noy and Kipnis 1994. The paper's program has the recurrence
// wrong (pop[i - r], which places too few ranks); its text has it right. What there are too many of f(t) leave in the
// last moment, as in the paper. Ours: each message hands on a part of the sender's range of ranks, on the side where
// there are more, so that subtrees are ranges with any root. That fits: no part is more than half of a range.
#pragma once

#include "collectives/cost.hpp"
#include "collectives/patterns/tree.hpp"

namespace cohort {

struct PostalTimes {
  Count gap = 1;      // s, 1 or more
  Count latency = 0;  // r
};

// From the parameters "s" and "r", or else in the network's proportions for a message of so many elements: no latency
// makes a binomial tree.
PostalTimes postal_times(const Problem& problem, Count elements);

// A round is as long as a send, so every rank sends once in it at most. The table of f takes a few microseconds where
// both times are near 100; common divisors don't matter.
Tree fibonacci_tree(Rank ranks, Rank root, Rank me, PostalTimes times);

// The first time t with f(t) >= ranks, in the unit of the postal times: when a broadcast along the tree is done.
Count fibonacci_end(Rank ranks, PostalTimes times);

// The rounds whose latencies pass while others are sent: without these it takes fibonacci_end(), to the nearest
// latency. The ranks that are reached last are not those with the most levels above them.
Count fibonacci_overlap(Rank ranks, PostalTimes times);

// Of a broadcast or reduction of the whole vector along it.
Cost fibonacci_cost(const Problem& problem);

}  // namespace cohort
