// SPDX-License-Identifier: Apache-2.0
#include "collectives/verifier.hpp"

#include <array>

#include "collectives/verifier/play.hpp"

namespace cohort {

std::string_view name_of(Delivery delivery) {
  static constexpr std::array<std::string_view, 2> names = {"by rounds", "by data"};
  return names.at(static_cast<std::size_t>(delivery));
}

std::vector<Problem> same_for_all(const Problem& problem) {
  return std::vector<Problem>(static_cast<std::size_t>(problem.ranks), problem);
}

namespace {

std::string words_for(const Blocks& blocks) {
  if (blocks.equal()) return std::to_string(blocks.largest()) + " each";
  std::string text;
  for (Rank rank = 0; rank < blocks.size(); ++rank) {
    if (rank > 0) text += ",";
    text += std::to_string(blocks.count(rank));
  }
  return text;
}

}  // namespace

std::string to_string(const Problem& problem) {
  std::string text = "p=" + std::to_string(problem.ranks);
  const auto add = [&text](const std::string& name, const std::string& value) { text += " " + name + "=" + value; };
  switch (problem.operation) {
    case Operation::bcast:
    case Operation::reduce:
      add("root", std::to_string(problem.root));
      [[fallthrough]];
    case Operation::combine:
    case Operation::prefix:
    case Operation::exclusive_prefix:
      add("m", std::to_string(problem.count));
      break;
    case Operation::shift:
      add("distance", std::to_string(problem.distance) + (problem.cyclic ? " cyclic" : " open"));
      add("m", std::to_string(problem.count));
      break;
    case Operation::scatter:
    case Operation::gather:
      add("root", std::to_string(problem.root));
      [[fallthrough]];
    case Operation::concat:
    case Operation::reduce_scatter:
      add("m", words_for(problem.blocks));
      break;
    case Operation::index:
      add("m", words_for(problem.blocks) + " (rank 0)");
      break;
    default:
      break;
  }
  for (const auto& [name, value] : problem.parameters.list()) add(name, std::to_string(value));
  if (!problem.mesh.empty()) add("mesh", mesh_name(problem.mesh));
  if (problem.within_host) text += " on hosts";
  if (reduces(problem.operation) && !problem.commutative) text += " in order";
  if (problem.in_place) text += " in place";
  return text;
}

namespace {

std::vector<Schedule> schedules_of(const ScheduleOf& schedule, std::span<const Problem> ranks) {
  std::vector<Schedule> schedules;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    schedules.push_back(schedule(ranks[rank], static_cast<Rank>(rank)));
  }
  return schedules;
}

std::vector<verifier::Memory> memories_of(const verifier::Specification& specification, verifier::Words& words,
                                          std::span<const Schedule> schedules) {
  std::vector<verifier::Memory> memories;
  for (std::size_t rank = 0; rank < schedules.size(); ++rank) {
    memories.emplace_back(specification, words, static_cast<Rank>(rank), schedules[rank].scratch());
  }
  return memories;
}

void check_forms(std::span<const Schedule> schedules, std::span<const verifier::Memory> memories) {
  Round storage;
  for (std::size_t rank = 0; rank < schedules.size(); ++rank) {
    for (std::size_t i = 0; i < schedules[rank].rounds(); ++i) {
      memories[rank].check_form(schedules[rank].round(i, storage), i);
    }
  }
}

void play(std::span<const Schedule> schedules, std::span<verifier::Memory> memories, Delivery delivery,
          std::uint64_t seed) {
  if (delivery == Delivery::by_data) {
    verifier::play_data(schedules, memories, seed);
  } else {
    verifier::play_rounds(schedules, memories);
  }
}

}  // namespace

verifier::Words& Verifier::words_for(const Problem& problem) {
  static constexpr std::size_t enough = 100'000;
  verifier::Words& words = problem.commutative ? commutative_ : ordered_;
  if (words.size() > enough) words = verifier::Words(problem.commutative);
  return words;
}

std::optional<std::string> Verifier::check(std::string_view name, const ScheduleOf& schedule,
                                           std::span<const Problem> ranks, std::span<const Delivery> deliveries,
                                           std::uint64_t seed) {
  const verifier::Specification specification(ranks);
  verifier::Words& words = words_for(ranks.front());
  const std::vector<Schedule> schedules = schedules_of(schedule, ranks);
  for (const Delivery delivery : deliveries) {
    try {
      std::vector<verifier::Memory> memories = memories_of(specification, words, schedules);
      if (delivery == deliveries.front()) check_forms(schedules, memories);  // however they are played
      play(schedules, memories, delivery, seed);
      for (const verifier::Memory& memory : memories) memory.check_result();
    } catch (const verifier::Complaint& complaint) {
      std::string text = std::string(name) + " " + to_string(ranks.front()) + ", " + complaint.what() + " (" +
                         std::string(name_of(delivery));
      if (delivery == Delivery::by_data) text += ", seed " + std::to_string(seed);
      return text + ")";
    }
  }
  return {};
}

std::optional<std::string> Verifier::check_barrier(std::string_view name, const ScheduleOf& schedule,
                                                   std::span<const Problem> ranks, Rank held_back, std::uint64_t seed) {
  const verifier::Specification specification(ranks);
  const std::vector<Schedule> schedules = schedules_of(schedule, ranks);
  std::vector<verifier::Memory> memories = memories_of(specification, words_for(ranks.front()), schedules);
  check_forms(schedules, memories);
  const std::vector<Rank> ended = verifier::play_without(held_back, schedules, memories, seed);
  if (ended.empty()) return {};
  return std::string(name) + " " + to_string(ranks.front()) + ", rank " + std::to_string(ended.front()) +
         " completes although rank " + std::to_string(held_back) + " has not started (seed " + std::to_string(seed) +
         ")";
}

}  // namespace cohort
