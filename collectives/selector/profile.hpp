// SPDX-License-Identifier: Apache-2.0
// The measured numbers of the choice, for effects of real networks and programs that the linear model (network.hpp,
// cost.hpp) does not have. `ChoiceProfile` explains each number and its unit. `profiles::measured` names the
// measurement that set it; more in docs/decisions/losses.md. `profiles::plain` has none of these effects: a price is
// then the model's time.
//
// Two traits of an algorithm (registry.hpp) decide on its losses: `drifts`, and `neighbours` for no crossing. The
// lengths of a pipeline's blocks are in patterns/pipeline_blocks.hpp, the turns of messages that share a link in
// simulator/ports.cpp.
#pragma once

#include "cohort/types.hpp"

namespace cohort {

// How much time a process may spend on playing schedules before it chooses. These numbers bound the effort and do not
// change a price. A message that is played by its data takes about 3 us (docs/decisions/prices.md).
struct PlayingLimits {
  double message_s = 3e-6;     // seconds to play a message of the usual kind
  double block_size_s = 1e-7;  // seconds to make schedules of unequal blocks, for each rank and each size that it reads
  double worth_playing = 1.6;  // times the least estimate: estimates err by less, so dearer ones are left
  double part_of_call = 0.1;   // of a call's own time, for unequal blocks: a choice for each size
  double least_s = 0;          // seconds; for unequal blocks, even if that is a larger part
  double shared_is_all = 2;    // times the rounds' time: if the shared resource takes longer, nothing is played
  double rounds_a_message = 8;      // so many combining rounds in progress make a message as much work as two
  double ranks_a_message = 32;      // so many ranks make a message as much work as two, if schedules are slow to make
  double least_messages = 1 << 12;  // limit for all algorithms of a problem together, at least
  double most_messages = 1 << 17;   // the same limit at most, however long the call takes
  double messages_a_rank = 100;     // messages allowed for each of the first `counted_ranks` ranks
  int counted_ranks = 256;
  double call_s_a_message = 1e-6;             // a long call allows one message for each microsecond that it takes
  Count most_messages_by_rounds = 1 << 16;    // of an algorithm that is played round by round: 0.1 us each
  Rank most_ranks_if_slow_to_make = 1 << 14;  // for schedules of O(p) steps, which take a few ns for each rank
};

// The default values add nothing to the model.
struct ChoiceProfile {
  // The part of the time on the wire that is lost by algorithms whose partners change with each long message
  // (Traits::drifts). Ranks do not end their rounds together, so messages of neighbouring rounds meet on a link, and
  // packets are dropped.
  double drift = 0;
  Count drift_free_bytes = 0;  // of each message: shorter ones do not drift

  // The part of the time on the wire that messages lose in queues if senders change (not Traits::neighbours), on links
  // with a burst. A rank that is ahead delays messages that the slower ranks need first.
  double crossing = 0;
  Count crossing_free_bytes = 0;  // for each time that the vector has to pass in the operation

  // If every message of an operation waits for the one before, each uses the shared resource for so many times its
  // time: one processor works, and the others have nothing to do.
  double in_turn = 1;
  Rank in_turn_from_ranks = 4;  // in a closed form, a star of three ranks looks like a chain

  // The least time of a hop (a short message from rank to rank), as a multiple of the time for which a message uses the
  // shared processors: a rank that has waited must first get a processor. Used when a network is measured
  // (launcher/network/fit.hpp).
  double messages_a_hop = 0;

  // The weight of a call's time in a row in the price. The rest is the time of a call alone, which finds all links
  // rested. The two times differ only on links with a burst.
  double row_weight = 0;
  double calls_in_a_row = 1;  // a row begins with a full bucket; each call gets an equal part of it

  double as_cheap = 1;    // prices within this factor count as equal: the model is not more exact
  double short_data = 0;  // unequal blocks count as equal if all take a link less than this part of a message's alpha

  PlayingLimits playing{};
};

namespace profiles {

inline constexpr ChoiceProfile plain;

inline constexpr ChoiceProfile measured{
    // 16 hosts, 100 Mbit/s, 16 MiB: combine, reduce_scatter and concat/circulant take 1.03 to 1.6 times the model's
    // time, rings 1.02. Up to 256 KiB there is no difference. docs/decisions/prices.md.
    .drift = 0.25,
    .drift_free_bytes = 64 * 1024,

    // 16 hosts, 100 Mbit/s, from 256 KiB on: at least 1.13 times the model's time, 1.08 if a rank receives from one
    // neighbour only. 64 KiB on the circulant graph of 7, 11 and 15 take 1.3 to 1.6 times the ring's time; up to 56 KiB
    // no rank waits. If the loss counts from 32 KiB on, it outweighs the ring's further rounds from 64 KiB on.
    // docs/decisions/losses.md.
    .crossing = 0.05,
    .crossing_free_bytes = 32 * 1024,

    // Two processors, 8 processes, prefixes of 16 bytes to 4 KiB: with 1, a chain is chosen, which takes 1.05 to 1.20
    // times the tree's time. docs/decisions/losses.md.
    .in_turn = 2,

    // Two processors, 4 and 8 processes, 129 cases, two runs: 89 and 93 % of the choices are within 5 % of the best;
    // with 0, 85 and 92 %. From 1.5 on, a bcast by 4 goes straight from the root to all: 1.2 times as long.
    .messages_a_hop = 1.4,

    // 24 cases of 4 hosts, 100 Mbit/s: a choice by the mean takes 0.57 times as long in a row and 1.055 times as long
    // alone. Programs call in both ways. docs/decisions/losses.md.
    .row_weight = 0.5,
    // As in the benchmarks. 8 hosts, bcast and reduce of 256 bytes: if a row began with an empty bucket, the choice
    // took 1.09 to 1.17 times as long as the best. docs/decisions/losses.md.
    .calls_in_a_row = 20,

    // Gathers by 16 ranks on one machine: linear and binomial differ by 0.01 % in price, and take 121 and 39 us.
    // docs/decisions/losses.md has the result with 3 %.
    .as_cheap = 1.01,

    // All differences between blocks are then less than a tenth of a message. docs/decisions/prices.md.
    .short_data = 0.1,
};

}  // namespace profiles

}  // namespace cohort
