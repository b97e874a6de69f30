#include "runtime/doing.hpp"

#include <dirent.h>

#include <algorithm>
#include <chrono>

#include "runtime/group_state.hpp"
#include "runtime/pending.hpp"
#include "runtime/runtime.hpp"

namespace cohort {

void Doing::Call::add(const Awaited& message) {
  if (awaited.size() == most_awaited) {
    partial = true;
  } else {
    awaited.push_back(message);
  }
}

namespace detail {
namespace {

double in_seconds(Nanoseconds time) { return std::chrono::duration<double>(time).count(); }

// Of this process.
std::uint32_t count_threads() {
  DIR* const folder = ::opendir("/proc/self/task");
  if (folder == nullptr) return ~std::uint32_t{0};
  std::uint32_t count = 0;
  while (const dirent* entry = ::readdir(folder)) count += entry->d_name[0] != '.' ? 1 : 0;
  ::closedir(folder);
  return count;
}

// At once, and again from time to time: of those that wait for one another one may have been stopped, or one's message
// on its way, when the launcher asked.
bool is_to_be_told(const Wait& wait, Nanoseconds now) {
  if (wait.told_blocked == Nanoseconds(0)) return true;
  const Nanoseconds lasted = wait.told_blocked - wait.since;
  return now - wait.told_blocked >= std::clamp<Nanoseconds>(lasted, std::chrono::seconds(1), std::chrono::seconds(30));
}

// Lists operations, each once.
class Listing {
 public:
  explicit Listing(Doing& doing) : doing_(doing) {}

  // The place of an operation, or nothing if there are too many.
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
  const Lock lock(*this);
  --entries_;  // this look is no call
  look_for_mistakes();
  messenger_.dispatch();
}

Doing Runtime::doing() {
  const Lock lock(*this);
  --entries_;  // this look is no call
  return describe_now();
}

Doing Runtime::describe_now() {
  Doing doing;
  const Nanoseconds now = transport_->now();
  Listing listing(doing);
  waits_.for_each([&](const Wait& wait) {
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
  note_entries(now);
  if (doing.waits.empty()) doing.away_s = in_seconds(now - entries_seen_at_);
  doing.left = left_;
  if (!job_.develop) return doing;

  if (const Pending* pending = all_awaited()) doing.lists = differing_lists(*pending);
  doing.entries = entries_;
  doing.threads = count_threads() - (progress_thread_ ? 2 : 1);  // without the runtime's own
  for (const GroupState* group : groups_) {
    doing.partial |= !add_to(doing.groups, {group->id(), group->numbers_given()});
    group->for_each_pending([&](const Pending& pending) {
      if (!pending.ended()) doing.partial |= !listing.place(pending);
    });
  }
  messenger_.each_traffic([&](Pid pid, std::uint64_t sent, std::uint64_t received) {
    doing.partial |= !add_to(doing.traffic, {pid, sent, received});
  });
  return doing;
}

// Whoever looks often enough knows when a thread was last here, and no call has to look at a clock.
void Runtime::note_entries(Nanoseconds now) {
  if (entries_ == entries_seen_) return;
  entries_seen_ = entries_;
  entries_seen_at_ = now;
}

std::optional<Doing> Runtime::long_wait() {
  const Lock lock(*this);
  --entries_;  // no call
  const Nanoseconds now = transport_->now();
  note_entries(now);
  const std::uint32_t threads = job_.develop ? count_threads() : 0;
  const bool fewer = std::exchange(threads_seen_, threads) > threads;  // who is left may all wait for ever
  bool blocked = false, impatient = false;
  waits_.for_each([&](Wait& wait) {
    if (wait.over()) return;
    if (job_.develop && wait.number <= last_wait_seen_ && (fewer || is_to_be_told(wait, now))) {
      blocked = true;
      wait.told_blocked = now;
    }
    if (job_.patience > Nanoseconds(0) && wait.since > Nanoseconds(0) && now - wait.since >= job_.patience &&
        !std::exchange(wait.told_impatient, true)) {
      impatient = true;
    }
  });
  last_wait_seen_ = waits_begun_;
  if (!blocked && !impatient) return std::nullopt;
  Doing doing = describe_now();
  doing.reason = impatient ? Doing::Reason::impatient : Doing::Reason::blocked;
  return doing;
}

void Runtime::news() {
  const Lock lock(*this);
  --entries_;  // no call
  if (!left_) transport_->wake();
}

void Runtime::flush() {
  const Lock lock(*this);
  --entries_;  // no call
  if (!left_) transport_->flush();
}

bool Runtime::greet() {
  const Lock lock(*this);
  --entries_;  // no call
  if (driver_ != nullptr || left_ || failures_.broken()) return false;
  try {
    look_for_silence(transport_->now());
    return transport_->greet();
  } catch (const std::exception& error) {
    broke(error);
    return false;
  }
}

}  // namespace detail
}  // namespace cohort
