// SPDX-License-Identifier: Apache-2.0
#include "runtime/observe/doing.hpp"

#include <dirent.h>

#include <algorithm>
#include <chrono>

#include "runtime/calls/pending.hpp"
#include "runtime/groups/group_state.hpp"
#include "runtime/runtime.hpp"

namespace cohort::detail {
namespace {

double in_seconds(Nanoseconds time) { return std::chrono::duration<double>(time).count(); }

// The number of this process's threads.
std::uint32_t count_threads() {
  DIR* const folder = ::opendir("/proc/self/task");
  if (folder == nullptr) return ~std::uint32_t{0};
  std::uint32_t count = 0;
  while (const dirent* entry = ::readdir(folder)) count += entry->d_name[0] != '.' ? 1 : 0;
  ::closedir(folder);
  return count;
}

// Lists each operation once.
class Listing {
 public:
  explicit Listing(Doing& doing) : doing_(doing) {}

  // The place of an operation in the list, or nothing if the list is full.
  std::optional<std::uint32_t> place(const Pending& pending) {
    const auto known = std::ranges::find(listed_, &pending);
    if (known != listed_.end()) return static_cast<std::uint32_t>(known - listed_.begin());
    if (listed_.size() == Doing::most_calls) return std::nullopt;
    listed_.push_back(&pending);
    doing_.calls.push_back(pending.describe());
    return static_cast<std::uint32_t>(listed_.size() - 1);
  }

 private:
  Doing& doing_;
  std::vector<const Pending*> listed_;
};

template <class Entry>
bool add_to(std::vector<Entry>& list, const Entry& entry) {
  if (list.size() == Doing::most_others) return false;
  list.push_back(entry);
  return true;
}

}  // namespace

void Runtime::tell_mistakes() {
  const Look look(*this);
  look_for_mistakes();
  messenger_.dispatch();
}

Doing Runtime::doing() {
  const Look look(*this);
  return describe_now();
}

Doing Runtime::describe_now() {
  Doing doing;
  const Nanoseconds now = transport_->now();
  Listing listing(doing);
  driver_.waits().for_each([&](const Wait& wait) {
    if (wait.over()) return;
    Doing::Wait& told = doing.waits.emplace_back();
    told.number = wait.number;
    told.what = wait.what();
    told.seconds = wait.since > Nanoseconds(0) ? in_seconds(now - wait.since) : 0;
    wait.each_awaited([&](Pending& pending) {
      const std::optional<std::uint32_t> place = listing.place(pending);
      if (place) told.calls.push_back(*place);
      told.partial |= !place;
    });
  });
  const Nanoseconds away = driver_.waits().away(now);
  if (doing.waits.empty()) doing.away_s = in_seconds(away);
  doing.left = left();
  if (!mode_->habits.reports_all) return doing;

  if (const Pending* pending = all_awaited()) doing.lists = mode_->differing_lists(*pending);
  doing.entries = driver_.waits().entries();
  doing.threads = count_threads() - (threads_.progress ? 2 : 1);  // without the runtime's own threads
  for (const GroupState* group : groups_) {
    doing.partial |= !add_to(doing.groups, {group->id(), group->calls().count()});
    group->for_each_pending([&](const Pending& pending) {
      if (!pending.ended()) doing.partial |= !listing.place(pending);
    });
  }
  messenger_.each_traffic([&](Pid pid, std::uint64_t sent, std::uint64_t received) {
    doing.partial |= !add_to(doing.traffic, {pid, sent, received});
  });
  return doing;
}

std::optional<Doing> Runtime::long_wait() {
  const Look look(*this);
  const Waits::Long found = driver_.waits().look(
      transport_->now(), mode_->habits.reports_all ? std::optional(count_threads()) : std::nullopt, job_.patience);
  if (!found.blocked && !found.impatient) return std::nullopt;
  Doing doing = describe_now();
  doing.reason = found.impatient ? Doing::Reason::impatient : Doing::Reason::blocked;
  return doing;
}

void Runtime::news() {
  const Look look(*this);
  if (!left()) transport_->wake();
}

void Runtime::flush() {
  const Look look(*this);
  if (left()) return;
  driver_.guard([&] {
    if (Batching* const batching = transport_->batching()) batching->flush();
  });
}

bool Runtime::greet() {
  const Look look(*this);
  if (driver_.drives() || left() || failures_.broken()) return false;
  bool somebody = false;
  driver_.guard([&] {
    look_for_silence(transport_->now());
    if (Liveness* const liveness = transport_->liveness()) somebody = liveness->greet();
  });
  return somebody;
}

}  // namespace cohort::detail
