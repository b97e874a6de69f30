// SPDX-License-Identifier: Apache-2.0
#include "collectives/schedule.hpp"

#include <algorithm>
#include <utility>

namespace cohort {

std::string to_string(const Segment& segment) {
  static constexpr const char* names[] = {"input", "output", "scratch"};
  return std::string(names[static_cast<int>(segment.buffer)]) + "[" + std::to_string(segment.offset) + ".." +
         std::to_string(segment.end()) + ")";
}

namespace {

bool lies_before(const Segment& a, const Segment& b) {
  return a.buffer < b.buffer || (a.buffer == b.buffer && a.end() <= b.offset);
}

}  // namespace

void Segments::add(const Segment& segment) {
  if (segment.count == 0) return;
  if (!list_.empty() && list_.back().buffer == segment.buffer && list_.back().end() == segment.offset) {
    list_.back().count += segment.count;
  } else {
    ascending_ = ascending_ && (list_.empty() || lies_before(list_.back(), segment));
    list_.push_back(segment);
  }
}

bool Segments::ordered_overlap(const Segment& other) const {
  const auto before = [&other](const Segment& segment) { return lies_before(segment, other); };
  const auto first = std::partition_point(list_.begin(), list_.end(), before);
  return first != list_.end() && overlap(*first, other);
}

Count Segments::count() const {
  Count total = 0;
  for (const Segment& segment : list_) total += segment.count;
  return total;
}

void Round::send(Rank peer, const Segments& segments) {
  if (!segments.empty()) sends_.push_back({peer, segments});
}

void Round::receive(Rank peer, const Segments& segments) {
  if (!segments.empty()) receives_.push_back({peer, segments});
}

void Round::signal(Rank peer) { sends_.push_back({peer, {}}); }

void Round::await(Rank peer) { receives_.push_back({peer, {}}); }

void Round::clear() {
  sends_.clear();
  receives_.clear();
  steps_.clear();
  fenced_ = false;
}

std::vector<Round>& Schedule::open_part() {
  if (parts_.empty() || !std::holds_alternative<std::vector<Round>>(parts_.back().rounds)) {
    parts_.push_back({rounds_, 0, std::vector<Round>{}});
  }
  return std::get<std::vector<Round>>(parts_.back().rounds);
}

Round& Schedule::add_round() {
  Round& round = open_part().emplace_back();
  ++rounds_;
  return round;
}

void Schedule::add_rounds(std::size_t rounds, Generator generator) {
  if (rounds == 0) return;
  parts_.push_back({rounds_, 0, Lazy{rounds, std::move(generator)}});
  rounds_ += rounds;
}

Segment Schedule::add_scratch(Count count) {
  scratch_ += count;
  return {Buffer::scratch, scratch_ - count, count};
}

void Schedule::take_terms(const Schedule& part) {
  most_in_progress_ = std::min(most_in_progress_, part.most_in_progress_);
  sends_on_request_ = sends_on_request_ || part.sends_on_request_;
}

void Schedule::append(Schedule next) {
  for (Part& part : next.parts_) {
    part.first_round += rounds_;
    part.scratch_offset += scratch_;
    parts_.push_back(std::move(part));
  }
  rounds_ += next.rounds_;
  scratch_ += next.scratch_;
  take_terms(next);
  // A later add_round() must not join the appended part, whose scratch memory has another offset.
  if (!parts_.empty() && parts_.back().scratch_offset != 0) parts_.push_back({rounds_, 0, std::vector<Round>{}});
}

void Schedule::make_rounds() {
  std::vector<Round> made(rounds_);
  Round storage;
  for (std::size_t index = 0; index < rounds_; ++index) made[index] = round(index, storage);
  parts_.clear();
  parts_.push_back({0, 0, std::move(made)});
}

const std::vector<Round>* Schedule::made_rounds() const {
  return parts_.size() == 1 && parts_[0].scratch_offset == 0 ? std::get_if<std::vector<Round>>(&parts_[0].rounds)
                                                             : nullptr;
}

const Round& Schedule::round(std::size_t index, Round& storage) const {
  const auto after = std::upper_bound(parts_.begin(), parts_.end(), index,
                                      [](std::size_t wanted, const Part& part) { return wanted < part.first_round; });
  const Part& part = *std::prev(after);
  const std::size_t local = index - part.first_round;
  if (const auto* stored = std::get_if<std::vector<Round>>(&part.rounds)) {
    if (part.scratch_offset == 0) return (*stored)[local];
    storage = (*stored)[local];
  } else {
    storage.clear();
    std::get<Lazy>(part.rounds).generator(local, storage);
  }
  if (part.scratch_offset != 0) {
    storage.rename([](Rank rank) { return rank; },
                   [&part](Segment segment) {
                     if (segment.buffer == Buffer::scratch) segment.offset += part.scratch_offset;
                     return segment;
                   });
  }
  return storage;
}

}  // namespace cohort
