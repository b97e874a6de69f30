// SPDX-License-Identifier: Apache-2.0
#include "collectives/verifier/transit_sizes.hpp"

#include <vector>

#include "collectives/index/index.hpp"

namespace cohort::verifier {
namespace {

// One rank's numbers: those that it sends to each rank, and those that it has received.
struct Numbers {
  std::vector<Count> input;
  std::vector<Count>* output;

  Count& at(Buffer buffer, Count offset) {
    return (buffer == Buffer::input ? input : *output)[static_cast<std::size_t>(offset)];
  }
};

// Round by round: each rank's message is received in the round in which it is sent.
void play(const std::vector<Schedule>& schedules, std::vector<Numbers>& numbers) {
  Round storage;
  for (std::size_t index = 0; index < schedules.front().rounds(); ++index) {
    std::vector<std::vector<Count>> arriving(schedules.size());
    for (std::size_t rank = 0; rank < schedules.size(); ++rank) {
      for (const Message& send : schedules[rank].round(index, storage).sends()) {
        for (const Segment& segment : send.segments) {
          for (Count offset = segment.offset; offset < segment.end(); ++offset) {
            arriving[static_cast<std::size_t>(send.peer)].push_back(numbers[rank].at(segment.buffer, offset));
          }
        }
      }
    }
    for (std::size_t rank = 0; rank < schedules.size(); ++rank) {
      auto next = arriving[rank].begin();
      for (const Message& receive : schedules[rank].round(index, storage).receives()) {
        for (const Segment& segment : receive.segments) {
          for (Count offset = segment.offset; offset < segment.end(); ++offset) {
            numbers[rank].at(segment.buffer, offset) = *next++;
          }
        }
      }
    }
  }
}

}  // namespace

void exchange_transit_sizes(std::span<Problem> ranks) {
  std::vector<Schedule> schedules;
  std::vector<Numbers> numbers;
  for (Rank me = 0; me < static_cast<Rank>(ranks.size()); ++me) {
    Problem& problem = ranks[static_cast<std::size_t>(me)];
    schedules.push_back(index::transit_sizes(problem, me));
    problem.transit_sizes.assign(static_cast<std::size_t>(index::transit_entries(problem)), 0);
    numbers.push_back({{}, &problem.transit_sizes});
    for (Rank to = 0; to < problem.ranks; ++to) numbers.back().input.push_back(problem.blocks.count(to));
  }
  play(schedules, numbers);
}

}  // namespace cohort::verifier
