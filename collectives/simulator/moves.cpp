// SPDX-License-Identifier: Apache-2.0
#include "collectives/simulator/moves.hpp"

#include <algorithm>
#include <future>

namespace cohort::simulator {
namespace {

// The most moves in memory at a time. If every rank sends once in a round, they take half a gigabyte, and as much again
// if all ranks combine.
constexpr std::size_t most_moves = std::size_t{1} << 25;
constexpr std::size_t most_moves_with_segments = most_moves / 8;

std::size_t room_for(Rank ranks, bool with_segments) {
  const std::size_t most = with_segments ? most_moves_with_segments : most_moves;
  return std::max<std::size_t>(most / static_cast<std::size_t>(ranks), 1);
}

}  // namespace

std::size_t runs(Rank ranks, std::size_t rounds) {
  const std::size_t room = room_for(ranks, false);
  return rounds / room + (rounds % room == 0 && rounds > 0 ? 0 : 1);
}

void RoundMoves::clear() {
  sends.clear();
  combining.clear();
  segments.clear();
  most_sent = most_combined = most_messages = total = 0;
}

Moves::Moves(const Algorithm& algorithm, const Problem& problem, int threads, bool with_segments)
    : algorithm_(algorithm),
      problem_(problem),
      with_segments_(with_segments),
      room_(room_for(problem.ranks, with_segments)),
      rounds_(algorithm.schedule(problem, 0).rounds()) {
  const auto ends = Blocks::split(std::clamp(threads, 1, problem.ranks), problem.ranks);
  for (Rank i = 0; i < ends.size(); ++i) {
    groups_.push_back({static_cast<Rank>(ends.offset(i)), static_cast<Rank>(ends.offset(i + 1)), 0, {}});
  }
}

void Moves::make(std::size_t first, const std::function<void(double rounds)>& on_progress) {
  std::vector<std::future<void>> others;
  for (std::size_t i = 1; i < groups_.size(); ++i) {
    others.push_back(std::async(std::launch::async, [this, i, first] { make(groups_[i], first, {}); }));
  }
  make(groups_.front(), first, on_progress);
  for (std::future<void>& other : others) other.get();
  for (const Group& group : groups_) rounds_ = std::max(rounds_, group.rounds);
  made_ = std::min(room_, rounds_ - std::min(rounds_, first));
}

// Makes the rounds of a few ranks at a time, round by round: rank by rank, consecutive moves would go to distant places
// in memory.
void Moves::make(Group& group, std::size_t first, const std::function<void(double rounds)>& on_progress) const {
  static constexpr Rank at_a_time = 32;
  static constexpr Rank between_reports = 32 * at_a_time;
  for (RoundMoves& moves : group.made) moves.clear();
  Round storage;
  std::vector<Schedule> schedules;
  for (Rank begin = group.first; begin < group.last; begin += at_a_time) {
    schedules.clear();
    std::size_t rounds = 0;
    for (Rank me = begin; me < std::min(begin + at_a_time, group.last); ++me) {
      schedules.push_back(algorithm_.schedule(problem_, me));
      rounds = std::max(rounds, schedules.back().rounds());
    }
    group.rounds = std::max(group.rounds, rounds);
    const std::size_t end = std::min(rounds, first + room_);
    if (end > first && group.made.size() < end - first) group.made.resize(end - first);
    for (std::size_t i = first; i < end; ++i) {
      Rank me = begin;
      for (const Schedule& schedule : schedules) {
        if (i < schedule.rounds()) add(group, group.made[i - first], me, schedule.round(i, storage));
        ++me;
      }
    }
    if (on_progress && (begin - group.first) % between_reports == 0) {
      on_progress(static_cast<double>(end - std::min(first, end)) * (begin - group.first) / (group.last - group.first));
    }
  }
}

void Moves::add(Group& group, RoundMoves& moves, Rank me, const Round& round) const {
  const auto all = static_cast<std::size_t>(group.last - group.first);
  Count sent = 0;
  for (const Message& send : round.sends()) {
    const Count elements = send.segments.count();
    if (moves.sends.empty()) moves.sends.reserve(all);
    moves.sends.push_back({me, send.peer, elements});
    if (with_segments_) moves.segments.push_back(send.segments);
    sent += elements;
  }
  Count combined = 0;
  for (const Step& step : round.steps()) combined += step.kind == Step::Kind::copy ? 0 : step.target.count;
  if (combined > 0) {
    if (moves.combining.empty()) moves.combining.reserve(all);
    moves.combining.push_back({me, combined});
  }
  if (round.receives().size() > 1) {
    Count received = 0;
    for (const Message& receive : round.receives()) received += receive.segments.count();
    moves.most_sent = std::max(moves.most_sent, received);
  }
  const std::size_t messages = std::max(round.sends().size(), round.receives().size());
  moves.most_messages = std::max(moves.most_messages, static_cast<Count>(messages));
  moves.total += sent;
  moves.most_sent = std::max(moves.most_sent, sent);
  moves.most_combined = std::max(moves.most_combined, combined);
}

const std::vector<const RoundMoves*>& Moves::round(std::size_t index) {
  parts_.clear();
  for (const Group& group : groups_) {
    if (index < group.made.size()) parts_.push_back(&group.made[index]);
  }
  return parts_;
}

}  // namespace cohort::simulator
