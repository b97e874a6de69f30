// The measured numbers of the choice: what it knows of real networks and programs beyond the linear model (network.hpp,
// cost.hpp). `ChoiceProfile` says what each number stands for and its unit. `profiles::measured` says which measurement
// set it. `profiles::plain` has none of them: a price is then the time that the model says.
//
// Two traits of an algorithm (registry.hpp) say which losses it has: `drifts`, and `neighbours` for no crossing. The
// lengths of a pipeline's blocks are in patterns/pipeline_blocks.hpp, the turns of messages that share a link in
// simulator/ports.cpp.
#pragma once

#include "cohort/types.hpp"

namespace cohort {

// How much time a process may spend on playing schedules before it chooses. These numbers bound the effort and do not
// change what a price means. A message that is played by its data takes about 3 us (decision 67).
struct PlayingLimits {
  double message_s = 3e-6;      // seconds to play a message of the usual kind
  double block_size_s = 1e-7;   // seconds to make schedules of unequal blocks: for each rank and each size it looks at
  double worth_playing = 1.6;   // times the least estimate: estimates are wrong by less (decision 67)
  double part_of_call = 0.1;    // of a call's own time, for unequal blocks: they are priced at each call (decision 70)
  double shared_is_all = 2;     // times the rounds' time: if what all ranks share takes longer, nothing is played
  double rounds_a_message = 8;  // so many rounds in progress that combine are as much work as a message more
  double ranks_a_message = 32;  // so many ranks are as much work as a message more, if a schedule is slow to make
  double least_messages = 1 << 12;  // all algorithms of a problem together, at least
  double most_messages = 1 << 17;   // and at most, however long the call takes
  double messages_a_rank = 100;     // of the first `counted_ranks` ranks
  int counted_ranks = 256;
  double call_s_a_message = 1e-6;             // a long call allows one message for each microsecond that it takes
  Count most_messages_by_rounds = 1 << 16;    // of an algorithm that is played round by round: 0.1 us each
  Rank most_ranks_if_slow_to_make = 1 << 14;  // a schedule of O(p) steps takes a few ns for each rank
};

// The default values add nothing to the model.
struct ChoiceProfile {
  // Part of the time on the wire that algorithms lose whose partners change with each long message (Traits::drifts). No
  // two rounds end together, so messages of neighbouring rounds meet on a link, and packets are dropped.
  double drift = 0;
  Count drift_free_bytes = 0;  // of each message: shorter ones do not drift

  // Part of the time on the wire that messages lose in queues where senders change (not Traits::neighbours), on links
  // with a burst. A rank that is ahead delays the messages that the ranks behind it need first.
  double crossing = 0;
  Count crossing_free_bytes = 0;  // each time that the operation needs the vector to pass

  // If every message of an operation waits for the one before, each takes so many times its time of what ranks share:
  // one processor works, and the others have nothing to do.
  double in_turn = 1;
  Rank in_turn_from_ranks = 4;  // closed forms take a star of three for a chain

  // The least time of a hop, a short message's way from rank to rank, in times of what a message takes of the shared
  // processors: a rank that has waited must be given a processor first. It counts when a network is measured
  // (launcher/network/fit.hpp).
  double messages_a_hop = 0;

  // The part of the price that is the time of a call in a row; the rest is that of a call alone, which finds all links
  // rested. The two differ on links with a burst only.
  double row_weight = 0;
  double calls_in_a_row = 1;  // a row begins with a full bucket, of which each call has an equal part

  double as_cheap = 1;    // prices within this factor are the same: the model is not more exact
  double short_data = 0;  // unequal blocks count as equal if all take a link less than this part of a message

  PlayingLimits playing{};
};

namespace profiles {

inline constexpr ChoiceProfile plain;

inline constexpr ChoiceProfile measured{
    // 16 hosts, 100 Mbit/s, 16 MiB: combine, reduce_scatter and concat/circulant take 1.03 to 1.6 times the model's
    // time, rings 1.02. Up to 256 KiB there is no difference. Decision 8.
    .drift = 0.25,
    .drift_free_bytes = 64 * 1024,

    // 16 hosts, 100 Mbit/s, from 256 KiB on: at least 1.13 times the model's time, 1.08 if a rank hears one neighbour
    // only. 64 KiB on the circulant graph of 7, 11 and 15 take 1.3 to 1.6 times the ring's time; up to 56 KiB nobody
    // waits. Counted from 32 KiB on, the loss outweighs the ring's further rounds from 64 KiB on. Decision 37.
    .crossing = 0.05,
    .crossing_free_bytes = 32 * 1024,

    // Two processors, 8 processes, prefixes of 16 bytes to 4 KiB: without it a chain is chosen, which takes 1.05 to
    // 1.20 times the tree's time. Decisions 57 and 59.
    .in_turn = 2,

    // Two processors, 4 and 8 processes, 129 cases, two runs: 89 and 93 % of the choices are within 5 % of the best,
    // without it 85 and 92 %. From 1.5 on a bcast by 4 goes straight to all, 1.2 times as long. Decisions 51 and 59.
    .messages_a_hop = 1.4,

    // 24 cases of 4 hosts, 100 Mbit/s: a choice by the mean takes 0.57 times as long in a row and 1.055 times as long
    // alone. A program may call either way. Decision 40.
    .row_weight = 0.5,
    // The benchmarks' rows. 8 hosts, bcast and reduce of 256 bytes: with an empty bucket the choice took 1.09 to 1.17
    // times as long as the best. Decision 59.
    .calls_in_a_row = 20,

    // Gathers by 16 ranks on one machine: linear and binomial differ by 0.01 % in price, and take 121 and 39 us.
    // Decision 22; decision 55 tried 2 % and 3 %.
    .as_cheap = 1.01,

    // All differences between blocks are then less than a tenth of a message. Decision 70.
    .short_data = 0.1,
};

}  // namespace profiles

}  // namespace cohort
