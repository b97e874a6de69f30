// SPDX-License-Identifier: Apache-2.0
#include "groups/survivors.hpp"

#include <algorithm>
#include <utility>

namespace cohort {

std::optional<Survivors::Answer> Survivors::asked(Pid by, const Question& question, const std::vector<Pid>& members) {
  auto entry = open_.find(question);
  if (entry == open_.end()) {
    const auto opened = std::ranges::count_if(open_, [by](const auto& other) { return other.second.opened_by == by; });
    if (opened == most_opened || std::ranges::find(members, by) == members.end()) return std::nullopt;
    Open asked{by, {members.begin(), members.end()}, members};
    std::erase_if(asked.missing, [&](Pid pid) { return gone_.contains(pid); });
    entry = open_.emplace(question, std::move(asked)).first;
  }
  Open& open = entry->second;
  open.missing.erase(by);
  if (!open.missing.empty()) return std::nullopt;
  const Answer answer = this->answer(question, open);
  open_.erase(entry);
  return answer;
}

std::vector<Survivors::Answer> Survivors::gone(const std::vector<Pid>& pids) {
  gone_.insert(pids.begin(), pids.end());
  for (auto& [question, open] : open_) {
    std::erase_if(open.missing, [&](Pid pid) { return gone_.contains(pid); });
  }
  std::vector<Answer> answers;
  std::erase_if(open_, [&](const auto& entry) {
    const auto& [question, open] = entry;
    if (!open.missing.empty()) return false;
    answers.push_back(answer(question, open));
    return true;
  });
  return answers;
}

std::vector<std::set<Pid>> Survivors::missing_for(Pid by) const {
  std::vector<std::set<Pid>> missing;
  for (const auto& [question, open] : open_) {
    const bool asks = std::ranges::find(open.members, by) != open.members.end() && !open.missing.contains(by);
    if (asks) missing.push_back(open.missing);
  }
  return missing;
}

Survivors::Answer Survivors::answer(const Question& question, const Open& open) const {
  Answer answer{question, {}};
  std::ranges::copy_if(open.members, std::back_inserter(answer.gone), [&](Pid pid) { return gone_.contains(pid); });
  return answer;
}

std::vector<Pid> in_sequences(const std::vector<Pid>& pids) {
  std::vector<Pid> sequences;
  for (std::size_t i = 0; i < pids.size();) {
    const Pid stride = i + 1 < pids.size() ? pids[i + 1] - pids[i] : 1;
    std::size_t end = i + 1;
    while (end < pids.size() && pids[end] - pids[end - 1] == stride) ++end;
    sequences.insert(sequences.end(), {pids[i], stride, static_cast<Pid>(end - i)});
    i = end;
  }
  return sequences;
}

std::optional<std::vector<Pid>> from_sequences(const std::vector<Pid>& sequences, Pid most) {
  std::vector<Pid> pids;
  if (sequences.size() % 3 != 0) return std::nullopt;
  for (std::size_t i = 0; i < sequences.size(); i += 3) {
    const std::int64_t first = sequences[i], stride = sequences[i + 1], count = sequences[i + 2];
    const std::int64_t last = first + stride * (count - 1);
    if (count < 1 || count > most - std::ssize(pids) || first < 0 || first >= most || last < 0 || last >= most) {
      return std::nullopt;
    }
    for (std::int64_t k = 0; k < count; ++k) pids.push_back(static_cast<Pid>(first + stride * k));
  }
  return pids;
}

}  // namespace cohort
