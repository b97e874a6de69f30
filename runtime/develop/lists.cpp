// SPDX-License-Identifier: Apache-2.0
#include "runtime/develop/lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/calls/pending.hpp"
#include "runtime/calls/where.hpp"
#include "runtime/groups/group_state.hpp"

namespace cohort::detail {
namespace {

std::string words_for(const std::vector<Pid>& list, const Where& where) {
  constexpr std::size_t shown = 16;
  std::string pids;
  for (std::size_t i = 0; i < std::min(shown, list.size()); ++i)
    pids += fmt::format("{}{}", i > 0 ? ", " : "", list[i]);
  if (list.size() > shown) pids += fmt::format(", ... ({} in all)", list.size());
  return fmt::format("group of the pids {} ({})", pids, to_string(where));
}

// Tells another process of a call. `words` describe the call; without them, this process waits in that call for the
// other one.
void tell(Lists& lists, Runtime& runtime, Pid peer, const GroupId& setup, std::string words = {}) {
  lists.sent_to(peer);
  runtime.messenger().tell(peer, {{.group = setup, .kind = FrameKind::list}, std::move(words)});
}

std::string words_of_conflict(const Lists& lists, const Runtime& runtime, Pid peer, const GroupId& setup,
                              bool peer_waits) {
  const auto conflict = lists.conflict(peer, setup, peer_waits);
  if (!conflict) return {};
  const Pid me = runtime.job().me;
  const auto words = [&](Pid who) {
    return fmt::format("{} called {}", runtime.describe(who), (who == me ? conflict->first : conflict->second).words);
  };
  return fmt::format("{} where {}: the lists differ", words(std::min(me, peer)), words(std::max(me, peer)));
}

}  // namespace

void Lists::note(std::vector<Call>& own, std::vector<Call>& other, Call call) {
  const auto met = std::ranges::find(other, call.setup, &Call::setup);
  if (met != other.end()) {
    other.erase(met);
  } else {
    own.push_back(std::move(call));
  }
}

std::optional<std::pair<Lists::Call, Lists::Call>> Lists::conflict(Pid peer, const GroupId& setup,
                                                                   bool peer_waits) const {
  const auto known = peers_.find(peer);
  if (known == peers_.end()) return std::nullopt;
  const std::vector<Call>&mine = known->second.mine, &theirs = known->second.theirs;
  const auto unmet = std::ranges::find(mine, setup, &Call::setup);
  const auto other = std::ranges::find_if(theirs, [&](const Call& call) { return call.waiting || !peer_waits; });
  if (unmet == mine.end() || other == theirs.end()) return std::nullopt;
  return std::pair(*unmet, *other);
}

bool Lists::waits_for(Pid peer, const GroupId& setup) {
  std::vector<Call>& mine = peers_[peer].mine;
  const auto unmet = std::ranges::find(mine, setup, &Call::setup);
  return unmet != mine.end() && !std::exchange(unmet->waiting, true);
}

void Lists::add_sent(std::vector<std::int64_t>& counts) const {
  for (const auto& [pid, peer] : peers_) counts[static_cast<std::size_t>(pid)] += peer.sent;
}

void Lists::told(Pid from, const GroupId& setup, std::string words) {
  ++arrived_;
  Peer& peer = peers_[from];
  if (!words.empty()) return note(peer.theirs, peer.mine, {setup, std::move(words)});
  std::vector<Call>& theirs = peer.theirs;
  const auto unmet = std::ranges::find(theirs, setup, &Call::setup);
  if (unmet != theirs.end()) unmet->waiting = true;
}

void Lists::forget(const GroupId& setup) {
  for (auto& [pid, peer] : peers_) std::erase_if(peer.mine, [&](const Call& call) { return call.setup == setup; });
}

std::vector<std::pair<Pid, Lists::Call>> Lists::unmet() const {
  std::vector<std::pair<Pid, Call>> calls;
  for (const auto& [pid, peer] : peers_) {
    for (const Call& call : peer.mine) calls.emplace_back(pid, call);
  }
  return calls;
}

void announce(Lists& lists, GroupState& setting_up, const Where& where) {
  Runtime& runtime = setting_up.runtime();
  const Lists::Call call{setting_up.id(), words_for(setting_up.members().pids(), where)};
  for (const Pid pid : setting_up.members().pids()) {
    if (pid == runtime.job().me) continue;
    lists.mine(pid, call);
    tell(lists, runtime, pid, call.setup, call.words);
  }
}

std::string differing_lists(const Lists& lists, const Pending& pending) {
  const std::vector<Pid> list = pending.group().members().pids();
  for (const Pid pid : list) {
    std::string words = words_of_conflict(lists, pending.runtime(), pid, setup_id(list), false);
    if (!words.empty()) return words;
  }
  return {};
}

void look_for_other_list(Lists& lists, const Pending& pending) {
  GroupState& group = pending.group();
  Runtime& runtime = group.runtime();
  const std::vector<Pid> list = group.members().pids();
  const GroupId setup = setup_id(list);
  const Pid me = runtime.job().me;
  for (const Doing::Awaited& awaited : pending.describe().awaited) {
    const Pid pid = awaited.pid;
    if (pid == me || !awaited.standing) continue;
    if (lists.waits_for(pid, setup)) tell(lists, runtime, pid, setup);
    const std::string words = words_of_conflict(lists, runtime, pid, setup, true);
    if (words.empty()) continue;
    const auto fault = std::make_shared<const Fault>(Fault{ErrorCode::mismatch, words});
    group.fail_and_tell(fault, pid);
    for (const Pid member : list) runtime.tell_failure(member, setup, *fault);  // those that still set it up
    return;
  }
}

}  // namespace cohort::detail
